// Memory: an allocator that the embedder can replace, and wiping.
#ifndef TN_BASE_MEM_H
#define TN_BASE_MEM_H

#include "tenon/base.h"

// n zeroed bytes, or NULL. `a` NULL means the C library's allocator. n = 0 gives NULL.
void *tn_alloc(const tn_allocator *a, size_t n);

// Wipes and releases what tn_alloc(a, n) gave. p may be NULL.
void tn_release(const tn_allocator *a, void *p, size_t n);

// A copy of n bytes, or NULL.
void *tn_duplicate(const tn_allocator *a, const void *p, size_t n);

// memcpy and friends that allow n = 0 with null pointers.
void tn_copy(void *to, const void *from, size_t n);
bool tn_equal_vartime(const void *a, const void *b, size_t n);  // leaks: contents by timing; public data only

static inline bool tn_span_equal_vartime(tn_span a, tn_span b) { return a.n == b.n && tn_equal_vartime(a.p, b.p, a.n); }

// Wipes what functions that have returned left below the caller's frame, among it what the compiler spilled there. Call
// at the end of an operation on secrets, whose own frame wipes its own. TN_STACK_WIPED is more than any in the house
// uses.
#define TN_STACK_WIPED 6144
void tn_wipe_stack(void);

// Host names (RFC 4343) and field names (RFC 9110) are compared without regard to the case of ASCII's letters, and of
// no others.
static inline uint8_t tn_ascii_lower(uint8_t c) { return c >= 'A' && c <= 'Z' ? (uint8_t)(c + ('a' - 'A')) : c; }
bool tn_span_equal_nocase_vartime(tn_span a, tn_span b);

// Wipe the vector registers: all 128-bit ones; all of AVX's sixteen whole; all of AVX-512's thirty-two, whole, and its
// mask registers. Call the one for the widest registers used at the end of any vector code that touched a secret. The
// latter two also leave the upper halves in the state that SSE code wants.
void tn_wipe_vectors(void);
void tn_wipe_vectors_avx(void);
void tn_wipe_vectors_avx512(void);

#endif
