// Two computations woven into one stream of instructions, for a processor that looks ahead less far than a step of
// either is long.
#ifndef TN_CRYPTO_BESIDE_H
#define TN_CRYPTO_BESIDE_H

// Does the n-th part of the other computation, whose state is `what`. Inlined into the first, as what calls it is.
typedef void tn_beside(void *what, int n);

__attribute__((always_inline)) static inline void tn_nothing_beside(void *what, int n) { (void)what, (void)n; }

#endif
