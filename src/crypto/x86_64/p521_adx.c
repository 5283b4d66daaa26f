// P-521 with its field in p521_field_adx.S, and MULX in the rest of its arithmetic.
#if defined(__x86_64__)

#include "base/cpu.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi2,adx"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi2,adx")
#endif

#define CURVE_ADX
#include "crypto/ec/p521.h"
#include "crypto/ec/weierstrass.h"

const tn_curve_impl tn_p521_adx = WEIERSTRASS_IMPL("adx", TN_CPU_AVX2 | TN_CPU_BMI2 | TN_CPU_ADX);

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
