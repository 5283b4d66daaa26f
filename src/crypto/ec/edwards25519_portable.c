// Curve25519 on five limbs of 51 bits.
#include "crypto/ec/fe25519_portable.h"

#define wipe_vectors tn_wipe_vectors
#include "crypto/ec/edwards25519_mul.h"

const tn_edwards25519_impl tn_edwards25519_portable = EDWARDS25519_IMPL("portable", 0);
