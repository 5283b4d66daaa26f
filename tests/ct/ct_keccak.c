// SHAKE and the sponges in step: what they absorb may not be seen. SHA-3 and HMAC over it are in ct_hmac.c.
#include "base/ct.h"
#include "crypto/hash/keccak_x4.h"
#include "crypto/hash/shake.h"
#include "support/support.h"

#define MAX_IN 400
#define BLOCKS 3

static uint8_t secret[8][MAX_IN], made[8][BLOCKS * TN_KECCAK_MAX_RATE];
static const size_t lengths[] = {0, 1, 7, 8, 33, 34, 135, 136, 137, 167, 168, 169, 336, MAX_IN};

static uint32_t sum(void) {
  uint32_t s = 0;
  TN_PUBLIC(made, sizeof made);
  for (size_t i = 0; i < sizeof made; i++) s = s * 31 + ((const uint8_t *)made)[i];
  return s;
}

int main(void) {
  static const size_t rates[] = {TN_SHAKE128_RATE, TN_SHAKE256_RATE, TN_KECCAK_RATE(1024)};
  uint32_t seen = 0;
  test_rng rng = {1};
  test_rng_bytes(&rng, secret, sizeof secret);
  TN_SECRET(secret, sizeof secret);
  const uint8_t *in[8];
  uint8_t *out[8];
  for (size_t i = 0; i < 8; i++) in[i] = secret[i], out[i] = made[i];

  for (size_t i = 0; i < COUNT(lengths); i++) {
    tn_shake s;
    tn_shake128_init(&s);
    tn_shake_absorb(&s, secret[0], lengths[i]);
    tn_shake_absorb(&s, secret[1], MAX_IN - lengths[i]);
    tn_shake_squeeze(&s, made[0], lengths[i]);
    tn_shake_squeeze(&s, made[1], MAX_IN - lengths[i]);
    tn_shake_wipe(&s);
    tn_shake256(secret[0], lengths[i], made[2], MAX_IN);
    seen += sum();
    for (size_t r = 0; r < COUNT(rates); r++) {
      tn_keccak_x4 x4;
      tn_keccak_x4_absorb(&x4, rates[r], TN_SHAKE_DOMAIN, in, lengths[i]);
      tn_keccak_x4_squeeze(&x4, rates[r], out, BLOCKS);
      seen += sum();
      tn_keccak_x8 x8;
      tn_keccak_x8_absorb(&x8, rates[r], TN_SHAKE_DOMAIN, in, lengths[i]);
      tn_keccak_x8_squeeze(&x8, rates[r], out, BLOCKS);
      seen += sum();
    }
  }
  printf("%u\n", (unsigned)seen);
  return 0;
}
