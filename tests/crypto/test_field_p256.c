#include "crypto/ec/p256_portable.c"

#define CURVE (&tn_p256)
#define IMPL tn_p256_portable
#define FACTOR_BITS 256
#include "curve_internals.h"
