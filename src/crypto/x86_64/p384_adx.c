// P-384 with its field in p384_field_adx.S.
#if defined(__x86_64__)

#include "base/cpu.h"

#define CURVE_ADX
#include "crypto/ec/p384.h"
#include "crypto/ec/weierstrass.h"

const tn_curve_impl tn_p384_adx = WEIERSTRASS_IMPL("adx", TN_CPU_BMI2 | TN_CPU_ADX);

#endif
