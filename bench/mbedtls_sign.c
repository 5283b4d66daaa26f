// Mbed TLS's ways with signatures.
#include "mbedtls.h"

#if defined(BENCH_MBEDTLS_2)
#include <mbedtls/ecdsa.h>
#include <mbedtls/pk.h>
#include <stdlib.h>

#include "mbedtls_md.h"
#include "mbedtls_random.h"

// The key is decoded beforehand.
typedef struct sign_state {
  mbedtls_pk_context key;
  mbedtls_ecdsa_context ecdsa;
  mbedtls_md_context_t *md;
  mbedtls_md_type_t hash;
} sign_state;

static bool sign_make(bench_job *job) {
  const sign_case *c = sign_case_of(job);
  sign_state *s = job->state = calloc(1, sizeof *s);
  BENCH_NEED(s != NULL, job->name);
  mbedtls_pk_init(&s->key);
  mbedtls_ecdsa_init(&s->ecdsa);
  if (mbedtls_pk_parse_key(&s->key, c->pkcs8.p, c->pkcs8.n, NULL, 0) != 0) return false;  // Ed25519
  s->md = bench_mbedtls_md(c->scheme->hash->name, 0);
  BENCH_NEED(s->md != NULL, job->name);
  s->hash = mbedtls_md_get_type(s->md->md_info);
  if (mbedtls_pk_can_do(&s->key, MBEDTLS_PK_ECDSA))
    BENCH_NEED(mbedtls_ecdsa_from_keypair(&s->ecdsa, mbedtls_pk_ec(s->key)) == 0, job->name);
  else if (sign_is_pss(c->scheme))
    mbedtls_rsa_set_padding(mbedtls_pk_rsa(s->key), MBEDTLS_RSA_PKCS_V21, s->hash);
  return true;
}

static bool digest(sign_state *s, const uint8_t *message, uint8_t *out) {
  return mbedtls_md_starts(s->md) == 0 && mbedtls_md_update(s->md, message, SIGN_MESSAGE_LEN) == 0 &&
         mbedtls_md_finish(s->md, out) == 0;
}

static bool sign(bench_job *job, const uint8_t *message, sign_signature *sig) {
  const tn_sign_scheme *scheme = sign_case_of(job)->scheme;
  sign_state *s = job->state;
  uint8_t hash[TN_HASH_MAX_DIGEST];
  const size_t n = scheme->hash->digest_len;
  if (!digest(s, message, hash)) return false;
  if (tn_key_curve(scheme->key_type) != NULL)
    return mbedtls_ecdsa_write_signature(&s->ecdsa, s->hash, hash, n, sig->bytes, &sig->n, bench_mbedtls_random,
                                         NULL) == 0;
  mbedtls_rsa_context *rsa = mbedtls_pk_rsa(s->key);
  sig->n = mbedtls_rsa_get_len(rsa);
  if (sign_is_pss(scheme))
    return mbedtls_rsa_rsassa_pss_sign_ext(rsa, bench_mbedtls_random, NULL, s->hash, (unsigned)n, hash, (int)n,
                                           sig->bytes) == 0;
  return mbedtls_rsa_rsassa_pkcs1_v15_sign(rsa, bench_mbedtls_random, NULL, MBEDTLS_RSA_PRIVATE, s->hash, (unsigned)n,
                                           hash, sig->bytes) == 0;
}

static bool verify(bench_job *job, const uint8_t *message, const sign_signature *sig) {
  const tn_sign_scheme *scheme = sign_case_of(job)->scheme;
  sign_state *s = job->state;
  uint8_t hash[TN_HASH_MAX_DIGEST];
  const size_t n = scheme->hash->digest_len;
  if (!digest(s, message, hash)) return false;
  if (tn_key_curve(scheme->key_type) != NULL)
    return mbedtls_ecdsa_read_signature(&s->ecdsa, hash, n, sig->bytes, sig->n) == 0;
  mbedtls_rsa_context *rsa = mbedtls_pk_rsa(s->key);
  return sig->n == mbedtls_rsa_get_len(rsa) &&
         (sign_is_pss(scheme) ? mbedtls_rsa_rsassa_pss_verify : mbedtls_rsa_rsassa_pkcs1_v15_verify)(
             rsa, NULL, NULL, MBEDTLS_RSA_PUBLIC, s->hash, (unsigned)n, hash, sig->bytes) == 0;
}

static bool sign_one_operation(bench_job *job, uint64_t i) { return sign_one(job, i, sign, verify); }

static void sign_free(bench_job *job) {
  sign_state *s = job->state;
  mbedtls_pk_free(&s->key);
  mbedtls_ecdsa_free(&s->ecdsa);
  if (s->md != NULL) mbedtls_md_free(s->md);
  free(s->md);
  free(s);
}

const sign_way mbedtls_sign = {{bench_mbedtls_name, sign_make, sign_one_operation, sign_free}, verify};

#endif
