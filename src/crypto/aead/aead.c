#include "crypto/aead/aead.h"

#include "base/cpu.h"
#include "base/ct.h"
#include "base/mem.h"

const tn_aead *const tn_aeads[] = {
    &tn_aes_128_gcm, &tn_aes_256_gcm,   &tn_chacha20_poly1305, &tn_aes_128_ccm,
    &tn_aes_256_ccm, &tn_aes_128_ccm_8, &tn_aes_256_ccm_8,     NULL,
};

void tn_aead_set_key(tn_aead_key *key, const tn_aead *aead, const uint8_t *raw) {
  const tn_aead_impl *const *impl = aead->impls;
  while (!tn_cpu_has((*impl)->cpu)) impl++;
  key->aead = aead;
  key->impl = *impl;
  key->impl->set_key(key->state, raw);
  tn_wipe_stack();
}

void tn_aead_wipe_key(tn_aead_key *key) {
  tn_wipe(key, sizeof *key);
  tn_wipe_stack();  // what its last use left; each use by itself leaves no more than the key still holds
}

// Adds n to the total of a text; false if the text becomes too long.
static bool add(uint64_t *total, size_t n, uint64_t limit) {
  if (n > limit - *total) return false;
  *total += n;
  return true;
}

// Whether both sides hold equally many bytes, and no more than the limit; `total` is how many.
static bool lengths_fit(const tn_aead *aead, const tn_span *in, size_t n_in, const tn_mspan *out, size_t n_out,
                        uint64_t *total) {
  uint64_t total_in = 0, total_out = 0;
  for (size_t i = 0; i < n_in; i++)
    if (!add(&total_in, in[i].n, aead->text_limit)) return false;
  for (size_t i = 0; i < n_out; i++)
    if (!add(&total_out, out[i].n, aead->text_limit)) return false;
  *total = total_in;
  return total_in == total_out;
}

typedef void crypt_fn(const void *key, tn_aead_op *op, const uint8_t *in, uint8_t *out, size_t n);

// Runs `crypt` over the longest pieces that lie in one span on both sides.
static void walk(const tn_aead_key *key, tn_aead_op *op, crypt_fn *crypt, const tn_span *in, size_t n_in,
                 const tn_mspan *out) {
  size_t written = 0;  // of *out
  for (size_t i = 0; i < n_in; i++) {
    for (size_t read = 0; read < in[i].n;) {
      while (written == out->n) out++, written = 0;
      size_t left = in[i].n - read, room = out->n - written, n = left < room ? left : room;
      crypt(key->state, op, in[i].p + read, out->p + written, n);
      read += n, written += n;
    }
  }
}

tn_result tn_aead_seal(const tn_aead_key *key, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad, const tn_span *in,
                       size_t n_in, const tn_mspan *out, size_t n_out, uint8_t *tag) {
  uint64_t total;
  TN_ENSURE(lengths_fit(key->aead, in, n_in, out, n_out, &total), TN_E_BAD_ARGUMENT);
  tn_aead_op op;
  key->impl->start(key->state, &op, nonce, aad, total);
  walk(key, &op, key->impl->seal, in, n_in, out);
  key->impl->tag(key->state, &op, tag);
  tn_wipe(&op, sizeof op);
  return tn_success();
}

tn_result tn_aead_open(const tn_aead_key *key, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad, const tn_span *in,
                       size_t n_in, const uint8_t *tag, const tn_mspan *out, size_t n_out) {
  uint64_t total;
  TN_ENSURE(lengths_fit(key->aead, in, n_in, out, n_out, &total), TN_E_BAD_ARGUMENT);
  tn_aead_op op;
  uint8_t right[TN_AEAD_MAX_TAG];
  key->impl->start(key->state, &op, nonce, aad, total);
  walk(key, &op, key->impl->open, in, n_in, out);
  key->impl->tag(key->state, &op, right);
  bool same = tn_ct_equal(tag, right, key->aead->tag_len);
  tn_wipe(&op, sizeof op);
  tn_wipe(right, sizeof right);
  if (same) return tn_success();
  for (size_t i = 0; i < n_out; i++) tn_wipe(out[i].p, out[i].n);
  return tn_fail(TN_E_BAD_RECORD_MAC);
}
