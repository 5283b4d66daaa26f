// P-384 on 64-bit integers.
#include "crypto/ec/p384.h"

#include "crypto/ec/weierstrass.h"

const tn_curve_impl tn_p384_portable = WEIERSTRASS_IMPL("portable", 0);
