// Big integers modulo an odd number, in Montgomery's form where it pays: RSA's and finite-field Diffie-Hellman's
// arithmetic. A number is an array of 64-bit words, lowest first, as long as its modulus says: a whole number of blocks
// of eight words, so that no kernel has an odd end to care for. No allocation.
//
// Constant time in the values of numbers, exponents and moduli. leaks: sizes, and the bit length of a modulus.
#ifndef TN_CRYPTO_BN_H
#define TN_CRYPTO_BN_H

#include "base/cpu.h"
#include "base/ct.h"
#include "base/error.h"

#define TN_BN_MAX_BITS 8192
#define TN_BN_MAX_WORDS (TN_BN_MAX_BITS / 64)
#define TN_BN_BLOCK 8  // words
#define TN_BN_WINDOW 5
#define TN_BN_ENTRIES (1 << TN_BN_WINDOW)

typedef struct tn_bn_mod tn_bn_mod;
typedef struct tn_bn_scratch tn_bn_scratch;

// An exponentiation: r = base^exponent mod n, base < n. r may be base.
typedef struct tn_bn_power {
  uint64_t *r;
  const uint64_t *base, *exponent;
  const tn_bn_mod *m;
} tn_bn_power;

// A way to compute. R is 2^(64 words). t is room for 2 words numbers; it holds secrets afterwards.
typedef struct tn_bn_path {
  const char *name;
  // r = a b / R mod n, below n, if a b < n R (one of a, b < n, the other any). r may be a or b, but not t.
  void (*mul)(uint64_t *r, const uint64_t *a, const uint64_t *b, const tn_bn_mod *m, uint64_t *t);
  // r = a^2 / R mod n, likewise, a < n.
  void (*sqr)(uint64_t *r, const uint64_t *a, const tn_bn_mod *m, uint64_t *t);
  // r = entry `index` of a table of TN_BN_ENTRIES numbers, all of which are read.
  void (*select)(uint64_t *r, const uint64_t *table, uint64_t index, size_t words);
  // Exponentiations of its own for moduli of certain sizes: `count` powers, 1 or 2, modulo numbers of equally many
  // words, exponents below 2^bits. False, and nothing done, if this is not one of its sizes. NULL if it has none. The
  // table of s is room to use as it likes; what is secret elsewhere it wipes itself. leaks: count, bits, words
  bool (*raise)(const tn_bn_power *powers, size_t count, size_t bits, tn_bn_scratch *s);
  // Wipes the vector registers that these used.
  void (*wipe)(void);
} tn_bn_path;

extern const tn_bn_path tn_bn_portable;
#if defined(__x86_64__)
#define TN_BN_AVX2_NEEDS TN_CPU_AVX2
#define TN_BN_ADX_NEEDS (TN_CPU_ADX | TN_CPU_BMI2 | TN_CPU_AVX2)
#define TN_BN_IFMA_NEEDS (TN_BN_ADX_NEEDS | TN_CPU_AVX512 | TN_CPU_IFMA)
extern const tn_bn_path tn_bn_avx2, tn_bn_adx, tn_bn_ifma;
#endif

struct tn_bn_mod {
  const tn_bn_path *path;
  size_t words;  // 8 to TN_BN_MAX_WORDS, in eights
  size_t bits;   // of n
  uint64_t n0;   // -1/n mod 2^64
  // In memory that outlives the modulus.
  const uint64_t *n;
  const uint64_t *rr;  // R^2 mod n; NULL if there is none, and then public powers are all that it is good for
};

// What an exponentiation works in. Secret; whoever has it wipes it with tn_bn_scratch_wipe().
struct tn_bn_scratch {
  uint64_t t[2 * TN_BN_MAX_WORDS];
  uint64_t acc[TN_BN_MAX_WORDS];
  uint64_t entry[TN_BN_MAX_WORDS];
  _Alignas(64) uint64_t table[TN_BN_ENTRIES * TN_BN_MAX_WORDS];
};

// The words of a number of so many bits: whole blocks.
static inline size_t tn_bn_words(size_t bits) { return (bits + 511) / 512 * TN_BN_BLOCK; }

// ---------------------------------------------------------------- conversions
// The big-endian number of `bytes` in words; false if it does not fit (declassified). leaks: bytes.n
TN_MUST_USE bool tn_bn_from_bytes(uint64_t *r, size_t words, tn_span bytes);
// The low n bytes of a, big-endian, n <= 8 words.
void tn_bn_to_bytes(uint8_t *out, size_t n, const uint64_t *a);

// ---------------------------------------------------------------- numbers without a modulus
// r = a + b and r = a - b; the carry or borrow, 0 or 1. r may be a or b.
uint64_t tn_bn_add(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t words);
uint64_t tn_bn_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t words);
// Masks.
uint64_t tn_bn_less(const uint64_t *a, const uint64_t *b, size_t words);
uint64_t tn_bn_equal(const uint64_t *a, const uint64_t *b, size_t words);
uint64_t tn_bn_equal_word(const uint64_t *a, uint64_t b, size_t words);
// r = mask ? a : b
void tn_bn_select(uint64_t *r, uint64_t mask, const uint64_t *a, const uint64_t *b, size_t words);
// r = a b, 2 words long, apart from both.
void tn_bn_product(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t words);
// The bit length; leaks: it.
size_t tn_bn_bits(const uint64_t *a, size_t words);
// r += a x over `words`; the word that is carried out.
uint64_t tn_bn_mul_add(uint64_t *r, const uint64_t *a, size_t words, uint64_t x);
// r = a mod n for any n of `bits` bits, 65 or more, and `words` words, as r. r may be a. leaks: bits
void tn_bn_remainder(uint64_t *r, const uint64_t *a, size_t a_words, const uint64_t *n, size_t words, size_t bits);

// TN_BN_WINDOW bits of a number below 2^bits, from bit `at` on. leaks: bits, at
static inline uint64_t tn_bn_window(const uint64_t *a, size_t bits, size_t at) {
  if (at >= bits) return 0;
  uint64_t w = a[at / 64] >> (at % 64);
  if (at % 64 > 64 - TN_BN_WINDOW && (at / 64 + 1) * 64 < bits) w |= a[at / 64 + 1] << (64 - at % 64);
  return w & (TN_BN_ENTRIES - 1);
}

// ---------------------------------------------------------------- modulo n
// Sets up the modulus n of `words` words, as tn_bn_words() of its bits or more; n stays where it is, and rr is room for
// another number, or NULL. TN_E_BAD_ARGUMENT unless n is odd, has more than one word, and words is a number that is
// allowed.
TN_MUST_USE tn_result tn_bn_mod_init(tn_bn_mod *m, const uint64_t *n, uint64_t *rr, size_t words);
// The same on a given path, for tests.
TN_MUST_USE tn_result tn_bn_mod_init_path(tn_bn_mod *m, const uint64_t *n, uint64_t *rr, size_t words,
                                          const tn_bn_path *path);
// The path for this processor.
const tn_bn_path *tn_bn_path_here(void);

// r = a b / R mod n for once: a or b below n. r may be a or b.
void tn_bn_mod_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const tn_bn_mod *m);
// r = a - b mod n, both below n.
void tn_bn_mod_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, const tn_bn_mod *m);
// r = a mod n for any a of twice the words. r is apart from a.
void tn_bn_mod_reduce(uint64_t *r, const uint64_t *a, const tn_bn_mod *m);
// Raises `count` powers, 1 or 2, modulo numbers of equally many words on the same path; exponents below 2^bits. Two at
// once take less time than one after the other. Fixed windows. leaks: count, bits, words
void tn_bn_mod_exp(const tn_bn_power *powers, size_t count, size_t bits, tn_bn_scratch *s);
// r = base^e mod n, base < n, e public, odd, 3 or more. leaks: e
void tn_bn_mod_exp_public(uint64_t *r, const uint64_t *base, uint64_t e, const tn_bn_mod *m);
// Wipes what exponentiations modulo m left in s and in vector registers.
void tn_bn_scratch_wipe(tn_bn_scratch *s, const tn_bn_mod *m);

#endif
