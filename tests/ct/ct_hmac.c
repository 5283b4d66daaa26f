// The hashes, HMAC and HKDF: neither key nor data may be seen.
#include "base/ct.h"
#include "crypto/kdf/hkdf.h"
#include "crypto/kdf/hmac.h"
#include "support/support.h"

// Lengths on both sides of every block and of every padding.
static const size_t lengths[] = {0, 1, 31, 32, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 200, 300};

static uint8_t key[300], data[300];

static uint32_t sum(uint8_t *out, size_t n) {
  uint32_t s = 0;
  TN_PUBLIC(out, n);
  for (size_t i = 0; i < n; i++) s = s * 31 + out[i];
  return s;
}

int main(void) {
  uint8_t out[300];
  uint32_t seen = 0;
  test_rng rng = {1};
  test_rng_bytes(&rng, key, sizeof key);
  test_rng_bytes(&rng, data, sizeof data);
  TN_SECRET(key, sizeof key);
  TN_SECRET(data, sizeof data);

  for (size_t h = 0; tn_hashes[h] != NULL; h++) {
    const tn_hash *hash = tn_hashes[h];
    for (size_t i = 0; i < COUNT(lengths); i++) {
      tn_hash_once(hash, data, lengths[i], out);
      seen += sum(out, hash->digest_len);
      for (size_t k = 0; k < COUNT(lengths); k++) {
        tn_hmac(hash, key, lengths[k], data, lengths[i], out);
        seen += sum(out, hash->digest_len);
        if (hash->block_len != 64 && hash->block_len != 128) continue;  // a sponge: no key is kept
        tn_hmac_key kept;
        tn_hmac_ctx ctx;
        tn_hmac_set_key(&kept, hash, key, lengths[k]);
        tn_hmac_start(&ctx, &kept);
        tn_hmac_update(&ctx, data, lengths[i]);
        tn_hmac_final(&ctx, out);
        seen += sum(out, hash->digest_len);
      }
      uint8_t prk[TN_HASH_MAX_DIGEST];
      tn_hkdf_extract(hash, tn_span_of(key, lengths[i]), tn_span_of(data, sizeof data), prk);
      if (!tn_ok(tn_hkdf_expand(hash, tn_span_of(prk, hash->digest_len), tn_span_of(data, 40), out, lengths[i])))
        return 1;
      seen += sum(out, lengths[i]);
      if (!tn_ok(tn_hkdf_expand_label(hash, prk, "key", tn_span_of(data, 32), out, lengths[i]))) return 1;
      seen += sum(out, lengths[i]);
    }
  }
  printf("%u\n", (unsigned)seen);
  return 0;
}
