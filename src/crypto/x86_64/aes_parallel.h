// A template: CBC decryption and CTR on registers of any width, eight of them at a time. Before it is included:
//   LANES                  blocks in a register
//   vec                    its type
//   TARGET                 the attribute of functions that use it
//   broadcast(block)       the block in all lanes
//   lane_numbers()         0, 1, ... as 128-bit integers
//   reverse_bytes(x)       of each block
//   shift_in(x, before)    the blocks of x moved up by one lane, the last of `before` below them
//   load_some, store_some  a register of which only the first `blocks` are in memory; where LANES > 1
//   enc, enc_last, dec, dec_last(x, k)  one round
//   WIPE                   wipes the vector registers
//   PATH, CPU              of the implementations
//   MODE(name)             their names

#include "base/bytes.h"
#include "base/mem.h"
#include "crypto/x86_64/aes_modes.h"

#define INLINE TARGET __attribute__((always_inline)) static inline
#define BLOCK ((size_t)16)
#define VEC (LANES * BLOCK)
#define BATCH 8  // registers

typedef vec unaligned_vec __attribute__((aligned(1), may_alias));

typedef uint64_t words __attribute__((vector_size(VEC)));

INLINE vec load(const uint8_t *p) { return *(const unaligned_vec *)p; }
INLINE void store(uint8_t *p, vec x) { *(unaligned_vec *)p = x; }

// Round keys are read where they are used: kept in registers across a loop, they would be spilled.
INLINE vec round_key(const __m128i *keys, int r) {
  __asm__("" : "+r"(keys));
  return broadcast(keys[r]);
}

// ---------------------------------------------------------------- CBC decryption

INLINE void decrypt_rounds(vec x[], int count, const __m128i *keys, int rounds) {
  vec k = round_key(keys, 0);
  TN_UNROLL for (int i = 0; i < count; i++) x[i] ^= k;
  TN_UNROLL for (int r = 1; r < rounds; r++) {
    k = round_key(keys, r);
    TN_UNROLL for (int i = 0; i < count; i++) x[i] = dec(x[i], k);
  }
}

// In place a block is overwritten before the next one wants it. So the batch is stored from its end on, and `before`
// keeps the last register of ciphertext for the next batch.
INLINE void cbc_decrypt(const __m128i *keys, int rounds, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n) {
  if (n == 0) return;
  const __m128i next_iv = tn_load_128(in + n - BLOCK);
  vec before = broadcast(tn_load_128(iv)), x[BATCH];
  for (; n >= BATCH * VEC; n -= BATCH * VEC, in += BATCH * VEC, out += BATCH * VEC) {
    const vec last = load(in + (BATCH - 1) * VEC);
    TN_UNROLL for (size_t i = 0; i < BATCH; i++) x[i] = load(in + i * VEC);
    decrypt_rounds(x, BATCH, keys, rounds);
    const vec k = round_key(keys, rounds);
    TN_UNROLL for (size_t i = BATCH - 1; i > 0; i--)
        store(out + i * VEC, dec_last(x[i], k ^ load(in + i * VEC - BLOCK)));
    store(out, dec_last(x[0], k ^ shift_in(load(in), before)));
    before = last;
  }
  for (; n >= VEC; n -= VEC, in += VEC, out += VEC) {
    const vec c = load(in);
    x[0] = c;
    decrypt_rounds(x, 1, keys, rounds);
    store(out, dec_last(x[0], round_key(keys, rounds) ^ shift_in(c, before)));
    before = c;
  }
#if LANES > 1
  if (n != 0) {
    const vec c = load_some(in, n / BLOCK);
    x[0] = c;
    decrypt_rounds(x, 1, keys, rounds);
    store_some(out, dec_last(x[0], round_key(keys, rounds) ^ shift_in(c, before)), n / BLOCK);
  }
#endif
  tn_store_128(iv, next_iv);
  WIPE();
}

// ---------------------------------------------------------------- CTR

// The key stream of `count` registers; the counters are integers.
INLINE void stream(vec x[], int count, vec *counter, const __m128i *keys, int rounds) {
  vec k = round_key(keys, 0);
  TN_UNROLL for (int i = 0; i < count; i++) {
    x[i] = reverse_bytes(*counter) ^ k;
    *counter = (vec)((words)*counter + (words)broadcast(_mm_set_epi64x(0, LANES)));
  }
  TN_UNROLL for (int r = 1; r < rounds; r++) {
    k = round_key(keys, r);
    TN_UNROLL for (int i = 0; i < count; i++) x[i] = enc(x[i], k);
  }
}

// A piece in which the low 64 bits of the counter do not come back to zero, except after its last block.
INLINE void ctr_piece(const __m128i *keys, int rounds, vec counter, const uint8_t *in, uint8_t *out, size_t n) {
  vec x[BATCH];
  for (; n >= BATCH * VEC; n -= BATCH * VEC, in += BATCH * VEC, out += BATCH * VEC) {
    stream(x, BATCH, &counter, keys, rounds);
    const vec k = round_key(keys, rounds);
    TN_UNROLL for (size_t i = 0; i < BATCH; i++) store(out + i * VEC, enc_last(x[i], k ^ load(in + i * VEC)));
  }
  for (; n >= VEC; n -= VEC, in += VEC, out += VEC) {
    stream(x, 1, &counter, keys, rounds);
    store(out, enc_last(x[0], round_key(keys, rounds) ^ load(in)));
  }
#if LANES > 1
  if (n != 0) {
    stream(x, 1, &counter, keys, rounds);
    store_some(out, enc_last(x[0], round_key(keys, rounds) ^ load_some(in, n / BLOCK)), n / BLOCK);
  }
#endif
}

INLINE void ctr(const __m128i *keys, int rounds, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n) {
  uint64_t high = tn_load_be64(iv), low = tn_load_be64(iv + 8);
  while (n != 0) {
    uint64_t piece = n / BLOCK, to_zero = 0 - low;
    if (to_zero != 0 && to_zero < piece) piece = to_zero;
    const __m128i first = _mm_set_epi64x((long long)high, (long long)low);
    ctr_piece(keys, rounds, (vec)((words)broadcast(first) + (words)lane_numbers()), in, out, piece * BLOCK);
    low += piece;
    high += low == 0;
    n -= piece * BLOCK, in += piece * BLOCK, out += piece * BLOCK;
  }
  tn_store_be64(iv, high);
  tn_store_be64(iv + 8, low);
  WIPE();
}

// ---------------------------------------------------------------- the implementations

#define CRYPT(name, mode, keys, rounds)                                                              \
  TARGET static void name(const void *key, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n) { \
    mode(((const tn_aes_modes_key *)key)->keys, rounds, iv, in, out, n);                             \
  }

CRYPT(cbc_decrypt_128, cbc_decrypt, decrypt, 10)
CRYPT(cbc_decrypt_256, cbc_decrypt, decrypt, 14)
CRYPT(ctr_128, ctr, encrypt, 10)
CRYPT(ctr_256, ctr, encrypt, 14)

const tn_cipher_impl MODE(tn_aes_128_cbc) = {PATH, CPU, tn_aes_modes_set_key_128, tn_aes_128_cbc_encrypt_aesni,
                                             cbc_decrypt_128};
const tn_cipher_impl MODE(tn_aes_256_cbc) = {PATH, CPU, tn_aes_modes_set_key_256, tn_aes_256_cbc_encrypt_aesni,
                                             cbc_decrypt_256};
const tn_cipher_impl MODE(tn_aes_128_ctr) = {PATH, CPU, tn_aes_modes_set_key_128, ctr_128, ctr_128};
const tn_cipher_impl MODE(tn_aes_256_ctr) = {PATH, CPU, tn_aes_modes_set_key_256, ctr_256, ctr_256};
