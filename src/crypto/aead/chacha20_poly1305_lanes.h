// AEAD_CHACHA20_POLY1305 (RFC 8439 section 2.8) on the vectors of chacha20_lanes.h, which see. Besides what that wants,
// the file that includes this defines
//   TARGET            attributes of functions that are not inline
//   WIPE_VECTORS()    wipes the widest registers
//   RUN               name of the tn_chacha20_run that is made
// and makes a tn_aead_impl of CHACHA20_POLY1305_MEMBERS.
//
// Key stream is made for many blocks at a time, and all at once costs hardly more than one: the block that holds the
// MAC's key is made with the first blocks of the text's, as many as the length of the text calls for. In long texts the
// MAC runs in the shadow of the stream: over the ciphertext of the batch before when sealing, ahead when opening.
#include "base/mem.h"
#include "crypto/aead/chacha20_lanes.h"
#include "crypto/aead/chacha20_poly1305.h"

#define STREAM_BLOCKS (WIDE_BLOCKS < 8 ? WIDE_BLOCKS : 8)

typedef struct message {
  _Alignas(64) uint8_t stream[STREAM_BLOCKS * TN_CHACHA20_BLOCK];  // key stream
  uint32_t state[16];                                              // of the block after those of `stream`
  size_t used, made;                                               // of `stream`; between the two it is to be used
  tn_poly1305 mac;
  uint64_t aad_len, text_len;
  uint64_t done;  // bytes of text
} message;

_Static_assert(sizeof(message) <= TN_AEAD_OP_STATE, "a message fits its state");

// ---------------------------------------------------------------- the MAC

INLINE void hash_blocks(tn_poly1305 *mac, const uint8_t *text, size_t n_blocks) {
  uint64_t h[3];
  shade_load(h, mac);
  for (; n_blocks != 0; n_blocks--, text += TN_POLY1305_BLOCK) MAC_BLOCK(h, mac->r, text);
  shade_store(h, mac);
}

// Takes at most n bytes of text to complete a block that was begun; how many it took.
INLINE size_t complete(tn_poly1305 *mac, const uint8_t *text, size_t n) {
  if (mac->used == 0) return 0;
  const size_t room = TN_POLY1305_BLOCK - mac->used, take = n < room ? n : room;
  memcpy(mac->block + mac->used, text, take);
  mac->used += take;
  if (mac->used == TN_POLY1305_BLOCK) {
    hash_blocks(mac, mac->block, 1);
    mac->used = 0;
  }
  return take;
}

// Begins a block with n < 16 bytes; zeros follow. Its words are written whole, as they will be read.
INLINE void begin(tn_poly1305 *mac, const uint8_t *text, size_t n) {
  uint64_t low = 0, high = 0;
  if (n >= 8)
    low = tn_load_le64(text), high = tn_load_le64(text + n - 8) >> 8 * (15 - n) >> 8;
  else if (n >= 4)
    low = tn_load_le32(text) | (uint64_t)tn_load_le32(text + n - 4) << 8 * (n - 4);
  else if (n != 0)
    low = text[0] | (uint64_t)text[n / 2] << 8 * (n / 2) | (uint64_t)text[n - 1] << 8 * (n - 1);
  tn_store_le64(mac->block, low);
  tn_store_le64(mac->block + 8, high);
  mac->used = n;
}

INLINE void hash(tn_poly1305 *mac, const uint8_t *text, size_t n) {
  const size_t first = complete(mac, text, n), rest = (n - first) % TN_POLY1305_BLOCK;
  if (first == n) return;
  hash_blocks(mac, text + first, (n - first) / TN_POLY1305_BLOCK);
  begin(mac, text + n - rest, rest);
}

INLINE void pad(tn_poly1305 *mac) {
  if (mac->used != 0) hash_blocks(mac, mac->block, 1);
  mac->used = 0;
}

// ---------------------------------------------------------------- the stream

// The next WIDE bytes, while the MAC takes n_blocks of `hashed`, SHADE_MOST at most.
__attribute__((noinline)) TARGET static void wide_batch(uint32_t state[16], const uint8_t *in, uint8_t *out,
                                                        tn_poly1305 *mac, const uint8_t *hashed, size_t n_blocks) {
  shade s = shade_begin(mac, hashed, n_blocks);
  wide(state, in, out, &s);
  shade_end(&s, mac);
  state[12] += WIDE_BLOCKS;
}

// The same for at least n blocks of key stream, 1 to STREAM_BLOCKS; how many.
__attribute__((noinline)) TARGET static size_t batch(uint32_t state[16], size_t n, uint8_t *out, tn_poly1305 *mac,
                                                     const uint8_t *hashed, size_t n_blocks) {
  if (n > 2 * LANES) {
    wide_batch(state, NULL, out, mac, hashed, n_blocks);
    return WIDE_BLOCKS;
  }
  const size_t made = n > LANES ? 2 * LANES : LANES;
  shade s = shade_begin(mac, hashed, n_blocks);
  if (made == LANES)
    narrow(state, 1, out, &s);
  else
    narrow(state, 2, out, &s);
  shade_end(&s, mac);
  state[12] += (uint32_t)made;
  return made;
}

// `in` and `out` may be the same, so the end, which overlaps what comes before it, is read first.
INLINE void xor_bytes(const uint8_t *stream, const uint8_t *in, uint8_t *out, size_t n) {
  if (n >= 16) {
    const four_words end = *(const four_words *)(in + n - 16) ^ *(const four_words *)(stream + n - 16);
    for (size_t i = 0; i < n - 16; i += 16)
      *(four_words *)(out + i) = *(const four_words *)(in + i) ^ *(const four_words *)(stream + i);
    *(four_words *)(out + n - 16) = end;
  } else {
    for (size_t i = 0; i < n; i++) out[i] = in[i] ^ stream[i];
  }
}

// What tn_chacha20_xor() does, and tn_chacha20_blocks() if `in` is NULL.
TARGET void RUN(const uint32_t first[16], const uint8_t *in, uint8_t *out, size_t n_blocks) {
  tn_poly1305 none = {.used = 0};
  uint32_t state[16];
  memcpy(state, first, sizeof state);
  for (; n_blocks >= WIDE_BLOCKS; n_blocks -= WIDE_BLOCKS, out += WIDE) {
    wide_batch(state, in, out, &none, NULL, 0);
    if (in != NULL) in += WIDE;
  }
  while (n_blocks != 0) {
    uint8_t stream[STREAM_BLOCKS * TN_CHACHA20_BLOCK];
    const size_t want = n_blocks < STREAM_BLOCKS ? n_blocks : STREAM_BLOCKS;
    batch(state, want, stream, &none, NULL, 0);
    if (in != NULL) {
      xor_bytes(stream, in, out, want * TN_CHACHA20_BLOCK);
      in += want * TN_CHACHA20_BLOCK;
    } else {
      memcpy(out, stream, want * TN_CHACHA20_BLOCK);
    }
    out += want * TN_CHACHA20_BLOCK, n_blocks -= want;
    tn_wipe(stream, sizeof stream);
  }
  tn_wipe(state, sizeof state);
  WIPE_VECTORS();
}

// ---------------------------------------------------------------- the AEAD

// How many blocks of key stream `n` more bytes of text want, as far as there is room.
INLINE size_t wanted(uint64_t n) {
  return n > (STREAM_BLOCKS - 1) * TN_CHACHA20_BLOCK ? STREAM_BLOCKS
                                                     : ((size_t)n + TN_CHACHA20_BLOCK - 1) / TN_CHACHA20_BLOCK;
}

// The MAC's key is the first half of block 0 (section 2.6); the data is encrypted from block 1 on.
TARGET static void start(const void *key, tn_aead_op *op, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad,
                         uint64_t text_len) {
  message *m = (message *)op->state;
  const uint32_t n[3] = {tn_load_le32(nonce), tn_load_le32(nonce + 4), tn_load_le32(nonce + 8)};
  tn_chacha20_state(m->state, ((const tn_chacha20_poly1305_key *)key)->words, 0, n);
  memset(m->mac.h, 0, sizeof m->mac.h);
  m->made = TN_CHACHA20_BLOCK * batch(m->state, wanted(TN_CHACHA20_BLOCK + text_len), m->stream, &m->mac, NULL, 0);
  m->used = TN_CHACHA20_BLOCK;
  tn_poly1305_init(&m->mac, m->stream);
  hash(&m->mac, aad.p, aad.n);
  pad(&m->mac);
  m->aad_len = aad.n, m->text_len = text_len, m->done = 0;
}

INLINE void crypt(tn_aead_op *op, const uint8_t *in, uint8_t *out, size_t n, bool sealing) {
  message *m = (message *)op->state;
  const uint8_t *text = sealing ? out : in;  // the ciphertext
  size_t done = 0;                           // bytes encrypted or decrypted
  size_t hashed = 0;                         // bytes of `text` that the MAC has
  size_t ready = 0;                          // bytes of `text` that it may have
  if (n == 0) return;
  if (!sealing) {
    // All of it may be hashed ahead, and must be before the text is written there. The last block, not complete, first.
    hashed = complete(&m->mac, text, n);
    const size_t rest = (n - hashed) % TN_POLY1305_BLOCK;
    if (hashed != n) begin(&m->mac, text + n - rest, rest);
    ready = n - rest;
  }
  while (done != n) {
    size_t step = m->made - m->used;
    if (step == 0) {
      if (sealing) ready = done, hashed += complete(&m->mac, text + hashed, ready - hashed);
      const uint8_t *from = text + hashed;
      size_t n_blocks = (ready - hashed) / TN_POLY1305_BLOCK;
      if (n_blocks > SHADE_MOST) n_blocks = SHADE_MOST;
      hashed += n_blocks * TN_POLY1305_BLOCK;
      if (n - done >= WIDE) {
        wide_batch(m->state, in + done, out + done, &m->mac, from, n_blocks);
        done += WIDE;
        continue;
      }
      const uint64_t left = m->text_len - (m->done + done);
      m->made = TN_CHACHA20_BLOCK * batch(m->state, wanted(left), m->stream, &m->mac, from, n_blocks);
      m->used = 0;
      step = m->made;
    }
    if (step > n - done) step = n - done;
    if (!sealing && hashed < ready && hashed < done + step) {
      const size_t n_blocks =
          ((done + step < ready ? done + step : ready) - hashed + TN_POLY1305_BLOCK - 1) / TN_POLY1305_BLOCK;
      hash_blocks(&m->mac, text + hashed, n_blocks);
      hashed += n_blocks * TN_POLY1305_BLOCK;
    }
    xor_bytes(m->stream + m->used, in + done, out + done, step);
    m->used += step, done += step;
  }
  if (sealing)
    hash(&m->mac, text + hashed, n - hashed);
  else
    hash_blocks(&m->mac, text + hashed, (ready - hashed) / TN_POLY1305_BLOCK);
  m->done += n;
}

TARGET static void seal(const void *key, tn_aead_op *op, const uint8_t *in, uint8_t *out, size_t n) {
  (void)key;
  crypt(op, in, out, n, true);
}

TARGET static void open(const void *key, tn_aead_op *op, const uint8_t *in, uint8_t *out, size_t n) {
  (void)key;
  crypt(op, in, out, n, false);
}

TARGET static void tag(const void *key, tn_aead_op *op, uint8_t *out) {
  (void)key;
  message *m = (message *)op->state;
  uint8_t lengths[TN_POLY1305_BLOCK];
  tn_store_le64(lengths, m->aad_len);
  tn_store_le64(lengths + 8, m->done);
  pad(&m->mac);
  hash_blocks(&m->mac, lengths, 1);
  tn_poly1305_final(&m->mac, out);
  WIPE_VECTORS();
}

TARGET static void seal_whole(const void *key, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad,
                              const tn_aead_text *text, uint8_t *out) {
  tn_aead_op op;
  start(key, &op, nonce, aad, text->n);
  seal(key, &op, text->in, text->out, text->head);
  seal(key, &op, text->out + text->head, text->out + text->head, text->n - text->head);
  tag(key, &op, out);
  tn_wipe(&op, sizeof(message));
}

TARGET static void open_whole(const void *key, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad,
                              const tn_aead_text *text, uint8_t *out) {
  tn_aead_op op;
  start(key, &op, nonce, aad, text->n);
  open(key, &op, text->in, text->out, text->head);
  open(key, &op, text->out + text->head, text->out + text->head, text->n - text->head);
  tag(key, &op, out);
  tn_wipe(&op, sizeof(message));
}

// The rest of a tn_aead_impl.
#define CHACHA20_POLY1305_MEMBERS                                                                  \
  .set_key = tn_chacha20_poly1305_set_key, .start = start, .seal = seal, .open = open, .tag = tag, \
  .seal_whole = seal_whole, .open_whole = open_whole
