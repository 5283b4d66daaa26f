// The PRFs of TLS before 1.3: neither secret nor seed may be seen.
#include "base/ct.h"
#include "crypto/kdf/prf.h"
#include "support/support.h"

// Of the secret: short, odd, and on both sides of a block, whole and halved.
static const size_t lengths[] = {0, 1, 13, 48, 63, 64, 65, 127, 128, 129, 130, 257, 300};

static uint8_t secret[300], seed_bytes[64];

static uint32_t sum(uint8_t *out, size_t n) {
  uint32_t s = 0;
  TN_PUBLIC(out, n);
  for (size_t i = 0; i < n; i++) s = s * 31 + out[i];
  return s;
}

int main(void) {
  uint8_t out[150];
  uint32_t seen = 0;
  test_rng rng = {1};
  test_rng_bytes(&rng, secret, sizeof secret);
  test_rng_bytes(&rng, seed_bytes, sizeof seed_bytes);
  TN_SECRET(secret, sizeof secret);
  TN_SECRET(seed_bytes, sizeof seed_bytes);
  const tn_span seed[] = {tn_span_of(seed_bytes, 32), tn_span_of(seed_bytes + 32, 32)};

  for (size_t i = 0; i < COUNT(lengths); i++) {
    tn_prf_tls10(tn_span_of(secret, lengths[i]), "master secret", seed, 2, out, 48);
    seen += sum(out, 48);
    tn_prf_tls12(&tn_sha256, tn_span_of(secret, lengths[i]), "key expansion", seed, 2, out, sizeof out);
    seen += sum(out, sizeof out);
    tn_prf_tls12(&tn_sha384, tn_span_of(secret, lengths[i]), "client finished", seed, 1, out, 12);
    seen += sum(out, 12);
  }
  printf("%u\n", (unsigned)seen);
  return 0;
}
