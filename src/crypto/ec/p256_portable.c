// P-256 on 64-bit integers.
#include "crypto/ec/p256.h"

#include "crypto/ec/weierstrass.h"

const tn_curve_impl tn_p256_portable = WEIERSTRASS_IMPL("portable", 0);
