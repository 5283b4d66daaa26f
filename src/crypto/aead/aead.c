#include "crypto/aead/aead.h"

#include "base/bytes.h"
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

// ---------------------------------------------------------------- messages of any shape

typedef void whole_fn(const void *key, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad, const tn_aead_text *text,
                      uint8_t *tag);

// What of a message may be copied to where its output goes, for the sake of being in one piece.
#define GATHERED 1024

// Whether the output lies in one piece and so does the text, all of it or all but a short rest, which is then put into
// its place in the output. TLS 1.3 writes such messages: the text and one byte of content type.
static bool in_one_piece(const tn_span *in, size_t n_in, const tn_mspan *out, size_t n_out, size_t total,
                         tn_aead_text *text) {
  if (n_out != 1 || n_in == 0) return false;
  const size_t head = in[0].n - in[0].n % TN_AEAD_HEAD;
  if (total - head > GATHERED) return false;
  *text = (tn_aead_text){in[0].p, head, out->p, total};
  for (size_t i = 0, at = head, skip = head; i < n_in; i++, skip = 0) {
    if (in[i].n == skip) continue;
    tn_copy(out->p + at, in[i].p + skip, in[i].n - skip);
    at += in[i].n - skip;
  }
  return true;
}

static void in_pieces(const tn_aead_key *key, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad, const tn_span *in,
                      size_t n_in, const tn_mspan *out, uint64_t total, crypt_fn *crypt, uint8_t *tag) {
  tn_aead_op op;
  key->impl->start(key->state, &op, nonce, aad, total);
  walk(key, &op, crypt, in, n_in, out);
  key->impl->tag(key->state, &op, tag);
  tn_wipe(&op, sizeof op);
}

static __attribute__((noinline)) tn_result any_shape(const tn_aead_key *key, const uint8_t nonce[TN_AEAD_NONCE_LEN],
                                                     tn_span aad, const tn_span *in, size_t n_in, const tn_mspan *out,
                                                     size_t n_out, uint8_t *tag, whole_fn *whole, crypt_fn *crypt) {
  uint64_t total;
  tn_aead_text text;
  TN_ENSURE(lengths_fit(key->aead, in, n_in, out, n_out, &total), TN_E_BAD_ARGUMENT);
  if (whole != NULL && in_one_piece(in, n_in, out, n_out, total, &text))
    whole(key->state, nonce, aad, &text, tag);
  else
    in_pieces(key, nonce, aad, in, n_in, out, total, crypt, tag);
  return tn_success();
}

// ---------------------------------------------------------------- sealing and opening

// The usual shape, which short messages notice: one span of each.
static inline tn_result run(const tn_aead_key *key, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad,
                            const tn_span *in, size_t n_in, const tn_mspan *out, size_t n_out, uint8_t *tag,
                            whole_fn *whole, crypt_fn *crypt) {
  if (whole == NULL || n_in != 1 || n_out != 1 || in->n != out->n || in->n > key->aead->text_limit)
    return any_shape(key, nonce, aad, in, n_in, out, n_out, tag, whole, crypt);
  const tn_aead_text text = {in->p, in->n, out->p, in->n};
  whole(key->state, nonce, aad, &text, tag);
  return tn_success();
}

tn_result tn_aead_seal(const tn_aead_key *key, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad, const tn_span *in,
                       size_t n_in, const tn_mspan *out, size_t n_out, uint8_t *tag) {
  return run(key, nonce, aad, in, n_in, out, n_out, tag, key->impl->seal_whole, key->impl->seal);
}

// As tn_ct_equal(), for tags, which are whole words.
static inline bool same_tag(const uint8_t *a, const uint8_t *b, size_t n) {
  uint64_t difference = 0;
  for (size_t i = 0; i < n; i += 8) difference |= tn_load_le64(a + i) ^ tn_load_le64(b + i);
  return tn_ct_declassify(tn_ct_is_zero(difference));
}

tn_result tn_aead_open(const tn_aead_key *key, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad, const tn_span *in,
                       size_t n_in, const uint8_t *tag, const tn_mspan *out, size_t n_out) {
  uint8_t right[TN_AEAD_MAX_TAG];
  TN_TRY(run(key, nonce, aad, in, n_in, out, n_out, right, key->impl->open_whole, key->impl->open));
  if (same_tag(tag, right, key->aead->tag_len)) return tn_success();
  tn_wipe(right, sizeof right);  // the tag that would have been right is nobody's business
  for (size_t i = 0; i < n_out; i++) tn_wipe(out[i].p, out[i].n);
  return tn_fail(TN_E_BAD_RECORD_MAC);
}
