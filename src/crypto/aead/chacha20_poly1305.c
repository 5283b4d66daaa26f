// AEAD_CHACHA20_POLY1305, RFC 8439 section 2.8.
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "crypto/aead/aead.h"
#include "crypto/aead/chacha20.h"
#include "crypto/aead/poly1305.h"

typedef struct cipher_key {
  uint32_t words[8];
} cipher_key;

typedef struct message {
  tn_poly1305 mac;
  uint64_t aad_len;
  uint64_t len;  // of the data so far
  uint32_t nonce[3];
  uint32_t counter;                   // of the next block of key stream
  uint8_t stream[TN_CHACHA20_BLOCK];  // the last block of key stream, of which len % 64 bytes are used up
} message;

_Static_assert(sizeof(cipher_key) <= TN_AEAD_KEY_STATE, "the key fits its state");
_Static_assert(sizeof(message) <= TN_AEAD_OP_STATE, "a message fits its state");

static void set_key(void *key_state, const uint8_t *raw) {
  cipher_key *key = key_state;
  for (size_t i = 0; i < 8; i++) key->words[i] = tn_load_le32(raw + 4 * i);
}

// The authenticator's key is the first half of block 0 (section 2.6); the data is encrypted from block 1 on.
static void start(const void *key_state, tn_aead_op *op, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad,
                  uint64_t text_len) {
  (void)text_len;
  const cipher_key *key = key_state;
  message *m = (message *)op->state;
  *m = (message){.aad_len = aad.n, .counter = 1};
  for (size_t i = 0; i < 3; i++) m->nonce[i] = tn_load_le32(nonce + 4 * i);
  tn_chacha20_blocks(key->words, 0, m->nonce, m->stream, 1);
  tn_poly1305_init(&m->mac, m->stream);
  tn_poly1305_update(&m->mac, aad.p, aad.n);
  tn_poly1305_pad(&m->mac);
}

static void xor_bytes(const uint8_t *stream, const uint8_t *in, uint8_t *out, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = in[i] ^ stream[i];
}

// n != 0.
static void crypt(const cipher_key *key, message *m, const uint8_t *in, uint8_t *out, size_t n) {
  const size_t at = m->len % TN_CHACHA20_BLOCK;
  m->len += n;
  if (at != 0) {
    const size_t left = TN_CHACHA20_BLOCK - at, take = n < left ? n : left;
    xor_bytes(m->stream + at, in, out, take);
    in += take, out += take, n -= take;
  }
  const size_t whole = n / TN_CHACHA20_BLOCK, rest = n % TN_CHACHA20_BLOCK;
  tn_chacha20_xor(key->words, m->counter, m->nonce, in, out, whole);
  m->counter += (uint32_t)whole;
  if (rest != 0) {
    tn_chacha20_blocks(key->words, m->counter++, m->nonce, m->stream, 1);
    xor_bytes(m->stream, in + (n - rest), out + (n - rest), rest);
  }
}

static void seal(const void *key_state, tn_aead_op *op, const uint8_t *in, uint8_t *out, size_t n) {
  message *m = (message *)op->state;
  if (n == 0) return;
  crypt(key_state, m, in, out, n);
  tn_poly1305_update(&m->mac, out, n);
}

static void open(const void *key_state, tn_aead_op *op, const uint8_t *in, uint8_t *out, size_t n) {
  message *m = (message *)op->state;
  if (n == 0) return;
  tn_poly1305_update(&m->mac, in, n);
  crypt(key_state, m, in, out, n);
}

static void tag(const void *key_state, tn_aead_op *op, uint8_t *out) {
  message *m = (message *)op->state;
  uint8_t lengths[16];
  (void)key_state;
  tn_store_le64(lengths, m->aad_len);
  tn_store_le64(lengths + 8, m->len);
  tn_poly1305_pad(&m->mac);
  tn_poly1305_update(&m->mac, lengths, sizeof lengths);
  tn_poly1305_final(&m->mac, out);
  tn_wipe(m, sizeof *m);
}

static const tn_aead_impl portable = {
    .path = "portable", .set_key = set_key, .start = start, .seal = seal, .open = open, .tag = tag};

static const tn_aead_impl *const impls[] = {&portable, NULL};

// No limit of its own: the record sequence number wraps first (RFC 9846 section 5.5).
// A text has as many blocks as the counter after block 0 (RFC 8439 section 2.8).
const tn_aead tn_chacha20_poly1305 = {"chacha20-poly1305", 32,    TN_POLY1305_TAG_LEN,
                                      UINT64_MAX,          impls, ((uint64_t)1 << 38) - 64};
