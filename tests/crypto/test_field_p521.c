#include "crypto/ec/p521_portable.c"

#define CURVE (&tn_p521)
#define IMPL tn_p521_portable
#define FACTOR_BITS 0
#include "curve_internals.h"
