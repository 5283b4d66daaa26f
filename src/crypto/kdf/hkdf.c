#include "crypto/kdf/hkdf.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "crypto/kdf/hmac.h"

#define MAX_BLOCKS 255
#define LABEL_PREFIX "tls13 "
#define MAX_LABEL 255  // with its prefix
#define MAX_CONTEXT 255
#define MAX_HKDF_LABEL (2 + 1 + MAX_LABEL + 1 + MAX_CONTEXT)

// HMAC pads a short key with zeros, so an empty salt needs no case of its own.
void tn_hkdf_extract(const tn_hash *hash, tn_span salt, tn_span ikm, uint8_t *prk) {
  tn_hmac(hash, salt.p, salt.n, ikm.p, ikm.n, prk);
}

// T(i) = HMAC(PRK, T(i-1) | info | i), RFC 5869 section 2.3. PRK is read before anything is written.
tn_result tn_hkdf_expand(const tn_hash *hash, tn_span prk, tn_span info, uint8_t *out, size_t n) {
  TN_ENSURE(n <= (size_t)MAX_BLOCKS * hash->digest_len, TN_E_BAD_ARGUMENT);
  tn_hmac_ctx keyed, ctx;
  uint8_t t[TN_HASH_MAX_DIGEST];
  size_t t_len = 0;
  tn_hmac_init(&keyed, hash, prk.p, prk.n);
  for (uint8_t i = 1; n != 0; i++) {
    ctx = keyed;
    tn_hmac_update(&ctx, t, t_len);
    tn_hmac_update(&ctx, info.p, info.n);
    tn_hmac_update(&ctx, &i, 1);
    tn_hmac_final(&ctx, t);
    t_len = hash->digest_len;

    const size_t fits = n < t_len ? n : t_len;
    tn_copy(out, t, fits);
    out += fits;
    n -= fits;
  }
  tn_wipe(&keyed, sizeof keyed);
  tn_wipe(t, sizeof t);
  return tn_success();
}

tn_result tn_hkdf_expand_label(const tn_hash *hash, const uint8_t *secret, const char *label, tn_span context,
                               uint8_t *out, size_t n) {
  TN_ENSURE(strlen(label) <= MAX_LABEL - strlen(LABEL_PREFIX), TN_E_BAD_ARGUMENT);
  TN_ENSURE(context.n <= MAX_CONTEXT, TN_E_BAD_ARGUMENT);
  TN_ENSURE(n <= (size_t)MAX_BLOCKS * hash->digest_len, TN_E_BAD_ARGUMENT);  // so it fits 16 bits below
  uint8_t info[MAX_HKDF_LABEL];
  tn_writer w = tn_writer_fixed(info, sizeof info);
  tn_write_u16(&w, (uint16_t)n);
  tn_scope s = tn_write_open(&w, 1);
  tn_write_bytes(&w, LABEL_PREFIX, strlen(LABEL_PREFIX));
  tn_write_bytes(&w, label, strlen(label));
  tn_write_close(&w, s);
  s = tn_write_open(&w, 1);
  tn_write_bytes(&w, context.p, context.n);
  tn_write_close(&w, s);
  TN_TRY(tn_writer_result(&w));
  return tn_hkdf_expand(hash, tn_span_of(secret, hash->digest_len), tn_span_of(info, w.len), out, n);
}
