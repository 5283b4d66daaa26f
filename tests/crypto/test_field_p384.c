#include "crypto/ec/p384_portable.c"

#define CURVE (&tn_p384)
#define IMPL tn_p384_portable
#define FACTOR_BITS 384
#include "curve_internals.h"
