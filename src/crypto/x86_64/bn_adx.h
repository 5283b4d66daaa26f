// The rows of bn_adx.S. A block is eight words; numbers are of `blocks` blocks, 1 or more.
#ifndef TN_CRYPTO_X86_64_BN_ADX_H
#define TN_CRYPTO_X86_64_BN_ADX_H

#include <stddef.h>
#include <stdint.h>

// t += a x, where t has one block more than a; the sum fits.
void tn_bn_mul_row_adx(uint64_t *t, const uint64_t *a, size_t blocks, const uint64_t x[8]);
// t += the products of two different words of a of which one is in the first block. t as above.
void tn_bn_sqr_row_adx(uint64_t *t, const uint64_t *a, size_t blocks);
// t = 2 t + the squares of the words of a, where t has twice the blocks of a.
void tn_bn_sqr_finish_adx(uint64_t *t, const uint64_t *a, size_t blocks);
// t += m n + carry 2^(512 blocks), for the m < 2^512 that makes the first block of t zero; that block is left as it
// was. t has one block more than n. Returns the carry out of it; n0 = -1/n mod 2^64.
uint64_t tn_bn_reduce_row_adx(uint64_t *t, const uint64_t *n, size_t blocks, uint64_t n0, uint64_t carry);
// r = carry 2^(512 blocks) + a - n, or a if that is negative. r is apart from a.
void tn_bn_subtract_adx(uint64_t *r, const uint64_t *a, const uint64_t *n, size_t blocks, uint64_t carry);

#endif
