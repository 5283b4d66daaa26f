// Mbed TLS's ways with what is built on ciphers. What is called here is the same in its releases 2.28 and 3.
#include "mbedtls.h"

#include <stdlib.h>
#include <string.h>
#if defined(BENCH_MBEDTLS)
#include <mbedtls/aes.h>
#include <mbedtls/ccm.h>
#include <mbedtls/chachapoly.h>
#include <mbedtls/des.h>
#include <mbedtls/gcm.h>
#include <mbedtls/version.h>

#include "aead_record.h"
#include "cbc_record.h"
#include "cipher_message.h"
#include "mbedtls_md.h"

const char *bench_mbedtls_name(void) {
  static char name[32], version[16];
  mbedtls_version_get_string(version);
  snprintf(name, sizeof name, "Mbed TLS %.15s", version);
  return name;
}

// Mode and key length of an AES or other name of ours: "aes-128-gcm".
static bool is_aes(const char *name, const char *mode, unsigned *bits) {
  char found[8];
  return sscanf(name, "aes-%u-%7s", bits, found) == 2 && strncmp(found, mode, 3) == 0;
}

// ---------------------------------------------------------------- AEADs

typedef struct aead_state {
  enum { GCM, CCM, CHACHAPOLY } mode;
  mbedtls_gcm_context gcm;
  mbedtls_ccm_context ccm;
  mbedtls_chachapoly_context chachapoly;
} aead_state;

static bool aead_make(bench_job *job) {
  aead_state *s = job->state = malloc(sizeof *s);
  unsigned bits;
  BENCH_NEED(s != NULL, job->name);
  mbedtls_gcm_init(&s->gcm);
  mbedtls_ccm_init(&s->ccm);
  mbedtls_chachapoly_init(&s->chachapoly);
  if (is_aes(job->name, "gcm", &bits)) {
    s->mode = GCM;
    return mbedtls_gcm_setkey(&s->gcm, MBEDTLS_CIPHER_ID_AES, job->key, bits) == 0;
  }
  if (is_aes(job->name, "ccm", &bits)) {
    s->mode = CCM;
    return mbedtls_ccm_setkey(&s->ccm, MBEDTLS_CIPHER_ID_AES, job->key, bits) == 0;
  }
  s->mode = CHACHAPOLY;
  return strcmp(job->name, "chacha20-poly1305") == 0 && mbedtls_chachapoly_setkey(&s->chachapoly, job->key) == 0;
}

static int seal(aead_state *s, const aead_record *r, size_t n, size_t tag_len) {
  switch (s->mode) {
    case GCM:
      return mbedtls_gcm_crypt_and_tag(&s->gcm, MBEDTLS_GCM_ENCRYPT, n, r->nonce, sizeof r->nonce, r->aad, AAD_LEN,
                                       r->in, r->out, tag_len, r->tag_out);
    case CCM:
      return mbedtls_ccm_encrypt_and_tag(&s->ccm, n, r->nonce, sizeof r->nonce, r->aad, AAD_LEN, r->in, r->out,
                                         r->tag_out, tag_len);
    default:
      return mbedtls_chachapoly_encrypt_and_tag(&s->chachapoly, n, r->nonce, r->aad, AAD_LEN, r->in, r->out,
                                                r->tag_out);
  }
}

static int open_record(aead_state *s, const aead_record *r, size_t n, size_t tag_len) {
  switch (s->mode) {
    case GCM:
      return mbedtls_gcm_auth_decrypt(&s->gcm, n, r->nonce, sizeof r->nonce, r->aad, AAD_LEN, r->tag_in, tag_len, r->in,
                                      r->out);
    case CCM:
      return mbedtls_ccm_auth_decrypt(&s->ccm, n, r->nonce, sizeof r->nonce, r->aad, AAD_LEN, r->in, r->out, r->tag_in,
                                      tag_len);
    default:
      return mbedtls_chachapoly_auth_decrypt(&s->chachapoly, n, r->nonce, r->aad, AAD_LEN, r->tag_in, r->in, r->out);
  }
}

static bool aead_one(bench_job *job, uint64_t i) {
  const aead_record r = aead_record_of(job, i);
  const size_t tag_len = (size_t)aead_tag_len(job);
  return (job->reverse ? open_record : seal)(job->state, &r, job->size, tag_len) == 0;
}

static void aead_free(bench_job *job) {
  aead_state *s = job->state;
  mbedtls_gcm_free(&s->gcm);
  mbedtls_ccm_free(&s->ccm);
  mbedtls_chachapoly_free(&s->chachapoly);
  free(s);
}

const bench_way mbedtls_aead = {bench_mbedtls_name, aead_make, aead_one, aead_free};

// ---------------------------------------------------------------- modes of block ciphers

typedef struct cipher_state {
  enum { AES_CBC, AES_CTR, TRIPLE_DES_CBC } mode;
  mbedtls_aes_context aes;
  mbedtls_des3_context des;
} cipher_state;

static bool cipher_make(bench_job *job) {
  cipher_state *s = job->state = malloc(sizeof *s);
  unsigned bits;
  BENCH_NEED(s != NULL, job->name);
  mbedtls_aes_init(&s->aes);
  mbedtls_des3_init(&s->des);
  if (is_aes(job->name, "cbc", &bits)) {
    s->mode = AES_CBC;
    return (job->reverse ? mbedtls_aes_setkey_dec : mbedtls_aes_setkey_enc)(&s->aes, job->key, bits) == 0;
  }
  if (is_aes(job->name, "ctr", &bits)) {
    s->mode = AES_CTR;
    return mbedtls_aes_setkey_enc(&s->aes, job->key, bits) == 0;
  }
  s->mode = TRIPLE_DES_CBC;
  return strcmp(job->name, "3des-cbc") == 0 &&
         (job->reverse ? mbedtls_des3_set3key_dec : mbedtls_des3_set3key_enc)(&s->des, job->key) == 0;
}

static bool cipher_one(bench_job *job, uint64_t i) {
  cipher_state *s = job->state;
  cipher_iv iv = cipher_iv_of(i);
  uint8_t stream[16];
  size_t offset = 0;
  switch (s->mode) {
    case AES_CBC:
      return mbedtls_aes_crypt_cbc(&s->aes, job->reverse ? MBEDTLS_AES_DECRYPT : MBEDTLS_AES_ENCRYPT, job->size,
                                   iv.bytes, job->in, job->out) == 0;
    case AES_CTR:
      return mbedtls_aes_crypt_ctr(&s->aes, job->size, &offset, iv.bytes, stream, job->in, job->out) == 0;
    default:
      return mbedtls_des3_crypt_cbc(&s->des, job->reverse ? MBEDTLS_DES_DECRYPT : MBEDTLS_DES_ENCRYPT, job->size,
                                    iv.bytes, job->in, job->out) == 0;
  }
}

static bool cbc_encrypt(cipher_state *s, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n) {
  if (s->mode == AES_CBC) return mbedtls_aes_crypt_cbc(&s->aes, MBEDTLS_AES_ENCRYPT, n, iv, in, out) == 0;
  return mbedtls_des3_crypt_cbc(&s->des, MBEDTLS_DES_ENCRYPT, n, iv, in, out) == 0;
}

static void cipher_free(bench_job *job) {
  cipher_state *s = job->state;
  mbedtls_aes_free(&s->aes);
  mbedtls_des3_free(&s->des);
  free(s);
}

const bench_way mbedtls_cipher = {bench_mbedtls_name, cipher_make, cipher_one, cipher_free};

// ---------------------------------------------------------------- records

typedef struct record_state {
  bench_job cipher;  // the cipher's own
  mbedtls_md_context_t *mac;
} record_state;

static bool record_make(bench_job *job) {
  record_state *s = job->state = calloc(1, sizeof *s);
  BENCH_NEED(s != NULL, job->name);
  s->cipher.name = cbc_pair(job)->cipher->name;
  memcpy(s->cipher.key, job->key, sizeof job->key);
  s->mac = bench_mbedtls_md(cbc_pair(job)->hash->name, 1);
  return cipher_make(&s->cipher) && s->mac != NULL &&
         mbedtls_md_hmac_starts(s->mac, job->key + CBC_MAC_KEY_AT, cbc_mac_len(job)) == 0;
}

static bool record_one(bench_job *job, uint64_t i) {
  record_state *s = job->state;
  cipher_state *c = s->cipher.state;
  const uint8_t *text = job->in + CBC_TEXT_AT;
  const size_t block = cbc_block(job), whole = job->size / block * block;
  const cbc_header header = cbc_header_of(i, job->size);
  cbc_iv iv = cbc_iv_of(i);
  uint8_t mac[MBEDTLS_MD_MAX_SIZE], tail[CBC_SEALED_ROOM];
  uint8_t *to = job->out + block;
  memcpy(job->out, iv.bytes, block);
  if (mbedtls_md_hmac_reset(s->mac) != 0 || mbedtls_md_hmac_update(s->mac, header.bytes, sizeof header.bytes) != 0 ||
      mbedtls_md_hmac_update(s->mac, text, job->size) != 0 || mbedtls_md_hmac_finish(s->mac, mac) != 0)
    return false;
  const size_t n = cbc_tail(job, mac, tail);
  return cbc_encrypt(c, iv.bytes, text, to, whole) && cbc_encrypt(c, iv.bytes, tail, to + whole, n);
}

static void record_free(bench_job *job) {
  record_state *s = job->state;
  cipher_free(&s->cipher);
  mbedtls_md_free(s->mac);
  free(s->mac);
  free(s);
}

const bench_way mbedtls_cbc_hmac = {bench_mbedtls_name, record_make, record_one, record_free};

#else
const char *bench_mbedtls_name(void) { return NULL; }
#endif
