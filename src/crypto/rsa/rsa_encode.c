// EMSA-PKCS1-v1_5 and EMSA-PSS, RFC 8017 section 9. Digests and signatures are public.
#include "base/bytes.h"
#include "base/mem.h"
#include "crypto/rsa/rsa.h"

// DER of DigestInfo up to the digest, RFC 8017 section 9.2 note 1; for SHA-3 RFC 8702's OIDs, likewise.
typedef struct digest_info {
  const tn_hash *hash;
  uint8_t len;
  uint8_t der[19];
} digest_info;

#define SHA_INFO(last, digest) \
  19, { 0x30, 17 + digest, 0x30, 13, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, last, 5, 0, 4, digest }

static const digest_info infos[] = {
    {NULL, 0, {0}},  // TLS 1.0 and 1.1, RFC 4346 section 7.4.3
    {&tn_sha1, 15, {0x30, 13 + 20, 0x30, 9, 6, 5, 0x2b, 0x0e, 3, 2, 0x1a, 5, 0, 4, 20}},
    {&tn_sha224, SHA_INFO(4, 28)},
    {&tn_sha256, SHA_INFO(1, 32)},
    {&tn_sha384, SHA_INFO(2, 48)},
    {&tn_sha512, SHA_INFO(3, 64)},
    {&tn_sha3_224, SHA_INFO(7, 28)},
    {&tn_sha3_256, SHA_INFO(8, 32)},
    {&tn_sha3_384, SHA_INFO(9, 48)},
    {&tn_sha3_512, SHA_INFO(10, 64)},
};

tn_result tn_rsa_pkcs1_encode(uint8_t *em, size_t len, const tn_hash *hash, tn_span digest) {
  const digest_info *info = NULL;
  for (size_t i = 0; i < sizeof infos / sizeof *infos; i++)
    if (infos[i].hash == hash) info = &infos[i];
  TN_ENSURE(info != NULL && digest.n == (hash == NULL ? 36u : hash->digest_len), TN_E_BAD_ARGUMENT);
  TN_ENSURE(len >= digest.n + info->len + 11, TN_E_KEY_UNSUPPORTED);
  uint8_t *at = em + len - digest.n;
  tn_copy(at, digest.p, digest.n);
  at -= info->len;
  tn_copy(at, info->der, info->len);
  *--at = 0;
  while (at != em) *--at = 0xff;
  em[0] = 0;
  em[1] = 1;
  return tn_success();
}

// data ^= MGF1(seed), appendix B.2.1
static void mask(uint8_t *data, size_t n, const tn_hash *hash, tn_span seed) {
  for (uint32_t counter = 0; n != 0; counter++) {
    uint8_t block[TN_HASH_MAX_DIGEST], number[4];
    tn_hash_ctx ctx;
    tn_store_be32(number, counter);
    tn_hash_init(&ctx, hash);
    tn_hash_update(&ctx, seed.p, seed.n);
    tn_hash_update(&ctx, number, sizeof number);
    tn_hash_final(&ctx, block);
    for (size_t i = 0; i < hash->digest_len && n != 0; i++, n--) *data++ ^= block[i];
  }
}

// H = Hash(eight zeros || digest || salt)
static void salted(uint8_t *out, const tn_hash *hash, tn_span digest, tn_span salt) {
  static const uint8_t zeros[8];
  tn_hash_ctx ctx;
  tn_hash_init(&ctx, hash);
  tn_hash_update(&ctx, zeros, sizeof zeros);
  tn_hash_update(&ctx, digest.p, digest.n);
  tn_hash_update(&ctx, salt.p, salt.n);
  tn_hash_final(&ctx, out);
}

tn_result tn_rsa_pss_encode(uint8_t *em, size_t bits, const tn_hash *hash, tn_span digest, tn_span salt) {
  size_t len = (bits + 7) / 8, h = hash->digest_len;
  TN_ENSURE(digest.n == h, TN_E_BAD_ARGUMENT);
  TN_ENSURE(len >= h + 2 && salt.n <= len - h - 2, TN_E_KEY_UNSUPPORTED);
  size_t db = len - h - 1, padding = db - salt.n - 1;
  for (size_t i = 0; i < padding; i++) em[i] = 0;
  em[padding] = 1;
  tn_copy(em + padding + 1, salt.p, salt.n);
  salted(em + db, hash, digest, salt);
  em[len - 1] = 0xbc;
  mask(em, db, hash, (tn_span){em + db, h});
  em[0] &= 0xff >> (8 * len - bits);
  return tn_success();
}

tn_result tn_rsa_pss_check(uint8_t *em, size_t bits, const tn_hash *hash, const tn_hash *mgf, tn_span digest,
                           size_t salt_len) {
  size_t len = (bits + 7) / 8, h = hash->digest_len;
  TN_ENSURE(digest.n == h, TN_E_BAD_ARGUMENT);
  TN_ENSURE(len >= h + 2 && salt_len <= len - h - 2, TN_E_BAD_SIGNATURE);
  size_t db = len - h - 1, padding = db - salt_len - 1;
  uint8_t unused = (uint8_t) ~(0xff >> (8 * len - bits)), want[TN_HASH_MAX_DIGEST];
  TN_ENSURE(em[len - 1] == 0xbc && (em[0] & unused) == 0, TN_E_BAD_SIGNATURE);
  mask(em, db, mgf, (tn_span){em + db, h});
  em[0] &= (uint8_t)~unused;
  for (size_t i = 0; i < padding; i++) TN_ENSURE(em[i] == 0, TN_E_BAD_SIGNATURE);
  TN_ENSURE(em[padding] == 1, TN_E_BAD_SIGNATURE);
  salted(want, hash, digest, (tn_span){em + padding + 1, salt_len});
  TN_ENSURE(tn_equal_vartime(want, em + db, h), TN_E_BAD_SIGNATURE);
  return tn_success();
}
