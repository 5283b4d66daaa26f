// Constant-time helpers: masks, selects, compares, and the marks that a checker sees.
//
// A mask is a uint64_t that is all ones or zero. Nothing here branches on its arguments, and every
// mask passes a value barrier so that no compiler can learn that it has only two values.
#ifndef TN_BASE_CT_H
#define TN_BASE_CT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(TN_CT_CHECK)
#include <valgrind/memcheck.h>
// Marks bytes as secret: a branch or an index that depends on them fails the constant-time run.
#define TN_SECRET(p, n) VALGRIND_MAKE_MEM_UNDEFINED(p, n)
// Marks bytes as public: the protocol reveals them, or the caller decided so and says why.
#define TN_PUBLIC(p, n) VALGRIND_MAKE_MEM_DEFINED(p, n)
#elif defined(TN_CT_MSAN)
#include <sanitizer/msan_interface.h>
// The same for clang's MemorySanitizer.
#define TN_SECRET(p, n) __msan_poison(p, n)
#define TN_PUBLIC(p, n) __msan_unpoison(p, n)
#else
#define TN_SECRET(p, n) ((void)(p), (void)(n))
#define TN_PUBLIC(p, n) ((void)(p), (void)(n))
#endif

// Makes the compiler forget what it knows of the variable x, which lives in a register of this class ("r", "x", "v").
#if defined(TN_CT_MSAN)
// MemorySanitizer does not see through assembly, but follows a secret through memory.
#define TN_OPAQUE(class, x)             \
  do {                                  \
    volatile __typeof__(x) copy_ = (x); \
    (x) = copy_;                        \
  } while (0)
#else
#define TN_OPAQUE(class, x) __asm__("" : "+" class(x))
#endif

static inline uint64_t tn_value_barrier(uint64_t x) {
  TN_OPAQUE("r", x);
  return x;
}

// All ones if bit 0 of x is set, else zero.
static inline uint64_t tn_ct_mask_bit(uint64_t x) { return tn_value_barrier(0 - (x & 1)); }

// All ones if x == 0, else zero.
static inline uint64_t tn_ct_is_zero(uint64_t x) {
  // The top bit of ~x & (x - 1) is set only for x = 0.
  return tn_value_barrier(0 - ((~x & (x - 1)) >> 63));
}

static inline uint64_t tn_ct_eq(uint64_t a, uint64_t b) { return tn_ct_is_zero(a ^ b); }

// All ones if a < b, else zero.
static inline uint64_t tn_ct_lt(uint64_t a, uint64_t b) {
  // The borrow of a - b, as in Hacker's Delight 2-13.
  return tn_value_barrier(0 - ((a ^ ((a ^ b) | ((a - b) ^ b))) >> 63));
}

// a where mask is all ones, b where it is zero.
static inline uint64_t tn_ct_select(uint64_t mask, uint64_t a, uint64_t b) { return b ^ (mask & (a ^ b)); }

// The bool of a mask. leaks: the mask, which the caller declares public by calling this.
static inline bool tn_ct_declassify(uint64_t mask) {
  TN_PUBLIC(&mask, sizeof mask);
  return mask != 0;
}

// All ones if the n bytes are equal, else zero. leaks: n.
uint64_t tn_ct_equal_mask(const void *a, const void *b, size_t n);

// Whether the n bytes are equal; for tags and MACs, whose verdict is public. leaks: n and the verdict.
bool tn_ct_equal(const void *a, const void *b, size_t n);

#endif
