#if !defined(__x86_64__)
int main(void) { return 77; }
#else
#include "crypto/x86_64/p256_adx.c"

#define CURVE (&tn_p256)
#define IMPL tn_p256_adx
#define FACTOR_BITS 256
#include "curve_internals.h"
#endif
