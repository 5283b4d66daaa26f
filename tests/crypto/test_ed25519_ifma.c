#if !defined(__x86_64__)
int main(void) { return 77; }
#else
#include "crypto/x86_64/edwards25519_ifma.c"

#define IMPL tn_edwards25519_ifma

#include "fe25519_edges.h"

#include "ed25519_internals.h"
#endif
