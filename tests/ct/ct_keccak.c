// SHAKE and the sponges in step: what they absorb may not be seen. SHA-3 and HMAC over it are in ct_hmac.c.
#include "base/ct.h"
#include "crypto/hash/shake.h"
#include "crypto/hash/sponges.h"
#include "support/support.h"

#define MAX_IN 400
#define BLOCKS 3

static uint8_t secret[8][MAX_IN], made[8][BLOCKS * TN_KECCAK_MAX_RATE];
static const size_t lengths[] = {0, 1, 7, 8, 33, 34, 135, 136, 137, 167, 168, 169, 336, MAX_IN};

// A sponge that takes BLOCKS blocks.
typedef struct taker {
  tn_sponge sponge;
  uint8_t *out;
  size_t taken;
} taker;

static bool take(tn_sponge *s, const uint8_t *block) {
  taker *t = (taker *)s;
  memcpy(t->out + t->taken * s->rate, block, s->rate);
  return ++t->taken == BLOCKS;
}

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
      taker takers[8];
      tn_sponge *sponges[8];
      for (size_t j = 0; j < 8; j++) {
        const tn_span first = {secret[j], lengths[i]}, second = {secret[j] + lengths[i], MAX_IN - lengths[i]};
        takers[j] = (taker){.sponge = {(uint8_t)rates[r], TN_SHAKE_DOMAIN, {first, second}, take}, .out = made[j]};
        sponges[j] = &takers[j].sponge;
      }
      tn_sponges_run(sponges, 8);
      seen += sum();
    }
  }
  printf("%u\n", (unsigned)seen);
  return 0;
}
