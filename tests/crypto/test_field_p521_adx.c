#if !defined(__x86_64__)
int main(void) { return 77; }
#else
#include "crypto/x86_64/p521_adx.c"

#define CURVE (&tn_p521)
#define IMPL tn_p521_adx
#define FACTOR_BITS 0
#include "curve_internals.h"
#endif
