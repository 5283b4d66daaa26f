#include "crypto/cipher/cipher.h"

#include <string.h>

#include "base/cpu.h"
#include "base/mem.h"

const tn_cipher *const tn_ciphers[] = {&tn_aes_128_cbc, &tn_aes_256_cbc, &tn_aes_128_ctr,
                                       &tn_aes_256_ctr, &tn_3des_cbc,    NULL};

void tn_cipher_set_key(tn_cipher_key *key, const tn_cipher *cipher, const uint8_t *raw) {
  const tn_cipher_impl *const *impl = cipher->impls;
  while (!tn_cpu_has((*impl)->cpu)) impl++;
  key->cipher = cipher;
  key->impl = *impl;
  key->impl->set_key(key->state, raw);
  tn_wipe_stack();
}

void tn_cipher_wipe_key(tn_cipher_key *key) {
  tn_wipe(key, sizeof *key);
  tn_wipe_stack();  // what its last use left; each use by itself leaves no more than the key still holds
}

// Whether both sides hold equally many bytes, and whole blocks if it must be; `total` is how many.
static bool lengths_fit(const tn_cipher *cipher, const tn_span *in, size_t n_in, const tn_mspan *out, size_t n_out,
                        size_t *total) {
  size_t total_in = 0, total_out = 0;
  for (size_t i = 0; i < n_in; i++)
    if (__builtin_add_overflow(total_in, in[i].n, &total_in)) return false;
  for (size_t i = 0; i < n_out; i++)
    if (__builtin_add_overflow(total_out, out[i].n, &total_out)) return false;
  *total = total_in;
  return total_in == total_out && (cipher->stream || (total_in & (cipher->block_len - 1u)) == 0);
}

// Where one side of a text is: `left` bytes at p, then the spans from `next` on. Steps over empty spans.
typedef struct reading {
  const uint8_t *p;
  size_t left;
  const tn_span *next;
} reading;

typedef struct writing {
  uint8_t *p;
  size_t left;
  const tn_mspan *next;
} writing;

static void read_on(reading *r) {
  for (; r->left == 0; r->next++) r->p = r->next->p, r->left = r->next->n;
}

static void write_on(writing *w) {
  for (; w->left == 0; w->next++) w->p = w->next->p, w->left = w->next->n;
}

// Byte by byte: memcpy might leave its copy in registers that nobody wipes.
static void gather(reading *r, uint8_t *to, size_t n) {
  for (; n != 0; n--, r->left--) {
    read_on(r);
    *to++ = *r->p++;
  }
}

static void scatter(writing *w, const uint8_t *from, size_t n) {
  for (; n != 0; n--, w->left--) {
    write_on(w);
    *w->p++ = *from++;
  }
}

typedef void crypt_fn(const void *key, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n);

// Runs `crypt` over the longest pieces of whole blocks that lie in one span on both sides, and over a copy of each
// block that a span's end cuts, or the end of the text.
static tn_result walk(const tn_cipher_key *key, uint8_t *iv, crypt_fn *crypt, const tn_span *in, size_t n_in,
                      const tn_mspan *out, size_t n_out) {
  size_t total;
  TN_ENSURE(lengths_fit(key->cipher, in, n_in, out, n_out, &total), TN_E_BAD_ARGUMENT);
  const size_t block_len = key->cipher->block_len;
  reading r = {.next = in};
  writing w = {.next = out};
  uint8_t block[TN_CIPHER_MAX_BLOCK];
  bool cut = false;
  while (total != 0) {
    read_on(&r);
    write_on(&w);
    size_t n = r.left < w.left ? r.left : w.left;
    n -= n & (block_len - 1);  // a power of two: no division
    if (n != 0) {
      crypt(key->state, iv, r.p, w.p, n);
      r.p += n, r.left -= n, w.p += n, w.left -= n;
    } else {
      n = total < block_len ? total : block_len;
      cut = true;
      memset(block, 0, sizeof block);
      gather(&r, block, n);
      crypt(key->state, iv, block, block, block_len);
      scatter(&w, block, n);
    }
    total -= n;
  }
  if (cut) tn_wipe(block, sizeof block);
  return tn_success();
}

tn_result tn_cipher_encrypt(const tn_cipher_key *key, uint8_t *iv, const tn_span *in, size_t n_in, const tn_mspan *out,
                            size_t n_out) {
  return walk(key, iv, key->impl->encrypt, in, n_in, out, n_out);
}

tn_result tn_cipher_decrypt(const tn_cipher_key *key, uint8_t *iv, const tn_span *in, size_t n_in, const tn_mspan *out,
                            size_t n_out) {
  return walk(key, iv, key->impl->decrypt, in, n_in, out, n_out);
}
