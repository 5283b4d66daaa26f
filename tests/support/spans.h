// Memory between guards, and texts cut into spans.
#ifndef TN_TESTS_SPANS_H
#define TN_TESTS_SPANS_H

#include "support/support.h"

#define MAX_CUTS 8
#define GUARD 32
#define GUARD_BYTE 0xa5

// Memory for n bytes at p between two guards, `shift` bytes off the allocator's alignment.
typedef struct guarded {
  uint8_t *all, *p;
  size_t n;
} guarded;

guarded make_guarded(size_t n, size_t shift);
// Fails the test if a guard has been written to.
void check_and_free_guarded(guarded *g);

// Cuts n bytes at p into spans, MAX_CUTS at most: some of them empty, some of those NULL, some short. How many.
size_t cut(test_rng *rng, uint8_t *p, size_t n, tn_mspan out[MAX_CUTS]);
size_t cut_const(test_rng *rng, uint8_t *p, size_t n, tn_span out[MAX_CUTS]);

#endif
