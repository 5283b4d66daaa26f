// Memory of this floor: the C library's, wiped when it goes. Floor 4 is a library of its own, and uses only what
// libtenon gives to outsiders.
#ifndef TN_NET_MEMORY_H
#define TN_NET_MEMORY_H

#include <stdlib.h>

#include "tenon/base.h"

// n zeroed bytes, or NULL.
static inline void *tn_net_alloc(size_t n) { return calloc(1, n); }

// Wipes and frees n bytes; p may be NULL.
static inline void tn_net_release(void *p, size_t n) {
  if (p != NULL) tn_wipe(p, n);
  free(p);
}

#endif
