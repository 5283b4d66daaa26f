#if !defined(__x86_64__)
int main(void) { return 77; }
#else
#include "crypto/x86_64/p384_adx.c"

#define CURVE (&tn_p384)
#define IMPL tn_p384_adx
#define FACTOR_BITS 384
#include "curve_internals.h"
#endif
