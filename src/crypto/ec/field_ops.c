#include "crypto/ec/field_ops.h"

#include <stddef.h>

#include "base/cpu.h"

// MemorySanitizer follows no secret through assembly.
#if defined(__x86_64__) && !defined(TN_CT_MSAN)
#define ROW(name, accelerated, op) \
  {name, "adx", TN_CPU_BMI2 | TN_CPU_ADX, accelerated}, { name, "portable", 0, op }

void tn_p256_fe_mul_adx(uint64_t *r, const uint64_t *a, const uint64_t *b);
void tn_p256_fe_sqr_adx(uint64_t *r, const uint64_t *a);
void tn_p384_fe_mul_adx(uint64_t *r, const uint64_t *a, const uint64_t *b);
void tn_p384_fe_sqr_adx(uint64_t *r, const uint64_t *a);
void tn_p384_fe_reduce_adx(uint64_t *r, const uint64_t *t);
void tn_p384_words_mul_adx(uint64_t *t, const uint64_t *a, const uint64_t *b);

static void p256_sqr_adx(uint64_t *r, const uint64_t *a, const uint64_t *unused) {
  (void)unused;
  tn_p256_fe_sqr_adx(r, a);
}

static void p384_sqr_adx(uint64_t *r, const uint64_t *a, const uint64_t *unused) {
  (void)unused;
  tn_p384_fe_sqr_adx(r, a);
}

static void p384_reduce_adx(uint64_t *r, const uint64_t *a, const uint64_t *unused) {
  (void)unused;
  tn_p384_fe_reduce_adx(r, a);
}
#else
#define ROW(name, accelerated, op) \
  { name, "portable", 0, op }
#endif

const tn_field_op tn_field_ops[] = {
    ROW("p256-mul", tn_p256_fe_mul_adx, tn_p256_mul_portable),
    ROW("p256-sqr", p256_sqr_adx, tn_p256_sqr_portable),
    ROW("p384-mul", tn_p384_fe_mul_adx, tn_p384_mul_portable),
    ROW("p384-sqr", p384_sqr_adx, tn_p384_sqr_portable),
    ROW("p384-reduce", p384_reduce_adx, tn_p384_reduce_portable),
    ROW("mul-6x6", tn_p384_words_mul_adx, tn_p384_product_portable),
    {NULL, NULL, 0, NULL},
};
