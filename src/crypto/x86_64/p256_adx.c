// P-256 with its field in p256_field_adx.S.
#if defined(__x86_64__)

#include "base/cpu.h"

#define CURVE_ADX
#include "crypto/ec/p256.h"
#include "crypto/ec/weierstrass.h"

const tn_curve_impl tn_p256_adx = WEIERSTRASS_IMPL("adx", TN_CPU_BMI2 | TN_CPU_ADX);

#endif
