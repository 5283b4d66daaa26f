// P-521 on 64-bit integers.
#include "crypto/ec/p521.h"

#include "crypto/ec/weierstrass.h"

const tn_curve_impl tn_p521_portable = WEIERSTRASS_IMPL("portable", 0);
