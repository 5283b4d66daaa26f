// The hash absorbs every block that certainly consists of message, then each block that may be the last one as if it
// were the last one: message, 0x80, zeros and the length, whichever of them belong there. The state after the one that
// was is kept. (FIPS 180-4 section 5.1 for the padding.)
#include "crypto/cbc_hmac/hmac_ct.h"

#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/mem.h"

#define LANES 16
typedef int8_t lanes __attribute__((vector_size(LANES)));

// The blocks that may be last: 255 bytes of doubt, a block that they begin in, 0x80 and the length of 16 bytes.
#define WINDOW 512
_Static_assert(WINDOW >= 255 + 127 + 17 && WINDOW % 128 == 0, "four blocks of SHA-384 hold them; six of the others do");

// Cuts a block after its first `end` bytes and puts 0x80 and zeros there; end is -1 where the cut, and the 0x80, are in
// an earlier block, block_len where they are in a later one.
static void cut(uint8_t *block, size_t block_len, int64_t end) {
  static const lanes first = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  // As end - 1, the last byte that stays fits 8 bits; as end, block_len wraps to -128, which is no index either.
  const lanes last = (lanes){0} + (int8_t)(end - 1), at_end = (lanes){0} + (int8_t)end;
  for (size_t i = 0; i < block_len; i += LANES) {
    const lanes index = first + (int8_t)i;
    lanes bytes;
    memcpy(&bytes, block + i, LANES);
    bytes = (bytes & (lanes)(index <= last)) | ((lanes)(index == at_end) & (int8_t)-128);
    memcpy(block + i, &bytes, LANES);
  }
}

// The bytes of the message from `done` on, which is on a block's limit, as far as they may go.
static void fill(uint8_t window[WINDOW], const uint8_t header[TN_CBC_HMAC_HEADER], const uint8_t *text, size_t most,
                 size_t done) {
  size_t at = 0, from = 0;
  if (done == 0)
    memcpy(window, header, at = TN_CBC_HMAC_HEADER);
  else
    from = done - TN_CBC_HMAC_HEADER;
  tn_copy(window + at, text + from, most - from);
  at += most - from;
  memset(window + at, 0, WINDOW - at);
}

// The words of the state as bytes: of 64 bits where the block is long.
static void digest_of(const tn_hash *hash, const tn_hash_state *state, uint8_t *digest) {
  if (hash->block_len == 128)
    for (size_t i = 0; i < hash->digest_len / 8u; i++) tn_store_be64(digest + 8 * i, state->w64[i]);
  else
    for (size_t i = 0; i < hash->digest_len / 4u; i++) tn_store_be32(digest + 4 * i, state->w32[i]);
}

void tn_hmac_ct(const tn_hmac_key *key, const uint8_t header[TN_CBC_HMAC_HEADER], const uint8_t *text, uint64_t n,
                size_t least, size_t most, uint8_t *mac) {
  const tn_hash *hash = key->hash;
  const size_t block_len = hash->block_len, length_len = block_len / 8, log2_block_len = block_len == 128 ? 7 : 6;
  const size_t done = (TN_CBC_HMAC_HEADER + least) & ~(block_len - 1);
  const size_t end = (TN_CBC_HMAC_HEADER + most + length_len) & ~(block_len - 1);  // where the last block begins
  tn_hmac_ctx ctx;
  tn_hmac_start(&ctx, key);
  if (done != 0) {
    tn_hmac_update(&ctx, header, TN_CBC_HMAC_HEADER);
    tn_hmac_update(&ctx, text, done - TN_CBC_HMAC_HEADER);
  }

  uint8_t window[WINDOW];
  fill(window, header, text, most, done);
  const uint64_t left = TN_CBC_HMAC_HEADER + n - done;  // bytes of the message in the window
  const uint64_t last = ((left + length_len) >> log2_block_len) << log2_block_len;
  const uint64_t bits = (block_len + TN_CBC_HMAC_HEADER + n) << 3;  // the padded key is a block
  tn_hash_state kept = {0};
  for (size_t at = 0; at <= end - done; at += block_len) {
    uint8_t *block = window + at;
    const uint64_t cut_before = tn_ct_lt(left, at), cut_within = tn_ct_lt(left, at + block_len);
    const uint64_t is_last = tn_ct_eq(at, last);
    const uint64_t stays = tn_ct_select(cut_within, left - at, block_len);
    cut(block, block_len, (int64_t)(stays | cut_before));
    uint8_t *length = block + block_len - 8;
    tn_store_be64(length, tn_load_be64(length) | (bits & is_last));
    hash->blocks(&ctx.inner, block, 1);
    for (size_t i = 0; i < (hash->digest_len + 7u) / 8; i++) kept.w64[i] |= ctx.inner.state.w64[i] & is_last;
  }

  digest_of(hash, &kept, ctx.inner.buf);
  ctx.inner.state = ctx.outer;
  ctx.inner.total = block_len + hash->digest_len;
  hash->finish(&ctx.inner, hash->digest_len, mac);
  tn_wipe(&ctx, sizeof ctx);
  tn_wipe(&kept, sizeof kept);
  tn_wipe(window, sizeof window);
}
