// Multiplication and squaring modulo p = 2^256 - 2^224 + 2^192 + 2^96 - 1, in Montgomery's form: the result is
// a b / 2^256 mod p, in [0, p), for a, b < p. Constant time: no branch, no table.
//
//   void tn_p256_fe_mul_adx(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]);
//   void tn_p256_fe_sqr_adx(uint64_t r[4], const uint64_t a[4]);
//
// r may be a or b: both are read before r is written. Point formulas in C call tn_p256_mul_raw and tn_p256_sqr_raw, with
// the same arguments, by field_call.h: they keep rdi, rbp and rsp alone.
#if defined(__x86_64__)
#include "crypto/x86_64/p256_field_adx.h"

.text
.globl tn_p256_mul_raw
.hidden tn_p256_mul_raw
.type tn_p256_mul_raw, @function
.balign 32
tn_p256_mul_raw:
    MULTIPLY
    STORE   rdi
    ret
.size tn_p256_mul_raw, . - tn_p256_mul_raw

.globl tn_p256_sqr_raw
.hidden tn_p256_sqr_raw
.type tn_p256_sqr_raw, @function
.balign 32
tn_p256_sqr_raw:
    SQUARE
    STORE   rdi
    ret
.size tn_p256_sqr_raw, . - tn_p256_sqr_raw

// The same for C.
#include "crypto/x86_64/c_function.h"

C_FUNCTION tn_p256_fe_mul_adx, tn_p256_mul_raw
C_FUNCTION tn_p256_fe_sqr_adx, tn_p256_sqr_raw
#endif
.section .note.GNU-stack, "", @progbits
