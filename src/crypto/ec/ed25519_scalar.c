#include "crypto/ec/ed25519_scalar.h"

#include <string.h>

#include "base/mem.h"
#include "crypto/ec/words.h"

static const uint64_t order[4] = {0x5812631a5cf5d3ed, 0x14def9dea2f79cd6, 0, 0x1000000000000000};

// t = t mod L, in its lower four words, for a t of five words below 2^64 L. By q = floor(t / 2^252), at most 2^64 - 1:
// with L = 2^252 + c, c < 2^125, t - q L = t mod 2^252 - q c is in (-L, L); where q was 2^64 before it was cut,
// t - q L = 2^252 + t mod 2^252 - q c is in (0, L), as t < 2^64 L.
static void reduce_word(uint64_t t[5]) {
  uint64_t q = t[4] << 4 | t[3] >> 60, product[5] = {0}, addend[4];
  q |= tn_ct_mask_bit(t[4] >> 60);
  (void)tn_words_mul_add_row(product, q, order, 4);
  const uint64_t negative = tn_ct_mask_bit(tn_words_sub(t, t, product, 5));
  for (int i = 0; i < 4; i++) addend[i] = order[i] & negative;
  (void)tn_words_add(t, t, addend, 4);
}

// The highest three words are below L; each one more below them makes a number below 2^64 L.
static void reduce(uint64_t r[4], const uint64_t wide[8]) {
  uint64_t t[5] = {0, wide[5], wide[6], wide[7], 0};
  for (int i = 4; i >= 0; i--) {
    t[0] = wide[i];
    reduce_word(t);
    if (i != 0) memmove(t + 1, t, 4 * sizeof *t);
  }
  memcpy(r, t, 4 * sizeof *t);
  tn_wipe(t, sizeof t);
}

void tn_ed25519_scalar_reduce(uint64_t r[4], const uint8_t wide[64]) {
  uint64_t w[8];
  for (int i = 0; i < 8; i++) w[i] = tn_load_le64(wide + 8 * i);
  reduce(r, w);
  tn_wipe(w, sizeof w);
}

// (2^256 - 1)^2 + 2^256 - 1 < 2^512.
void tn_ed25519_scalar_mul_add(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], const uint64_t c[4]) {
  uint64_t w[8], carry = 0;
  tn_words_mul(w, a, b, 4);
  for (int i = 0; i < 8; i++) w[i] = tn_add_carry(w[i], i < 4 ? c[i] : 0, &carry);
  reduce(r, w);
  tn_wipe(w, sizeof w);
}

void tn_ed25519_scalar_sub(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]) {
  tn_words_sub_mod(r, a, b, order, 4);
}

uint64_t tn_ed25519_scalar_load(uint64_t r[4], const uint8_t in[32]) {
  for (int i = 0; i < 4; i++) r[i] = tn_load_le64(in + 8 * i);
  return tn_words_less(r, order, 4);
}
