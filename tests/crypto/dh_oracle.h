// libcrypto's numbers for tests of Diffie-Hellman.
#ifndef TN_TESTS_DH_ORACLE_H
#define TN_TESTS_DH_ORACLE_H

#include <openssl/bn.h>

#include "crypto/dh/dh.h"
#include "support/support.h"

static inline BIGNUM *bn_of(const uint8_t *p, size_t n) { return BN_bin2bn(p, (int)n, NULL); }

static inline BIGNUM *bn_of_hex(const char *hex) {
  BIGNUM *r = NULL;
  assert_true(BN_hex2bn(&r, hex) > 0);
  return r;
}

// A group with any p and g, and exponents of so many bits.
static inline void dh_own_of(tn_dh_own *own, const BIGNUM *p, const BIGNUM *g, size_t private_bits) {
  memset(own, 0, sizeof *own);
  assert_true(BN_bn2lebinpad(p, (unsigned char *)own->p, sizeof own->p) > 0);
  assert_true(BN_bn2lebinpad(g, (unsigned char *)own->g, sizeof own->g) > 0);
  own->group =
      (tn_dh_group){.len = (uint16_t)BN_num_bytes(p), .private_bits = (uint16_t)private_bits, .p = own->p, .g = own->g};
}

// out = base^x mod p, as long as p.
static inline void bn_power(uint8_t *out, const BIGNUM *base, const BIGNUM *x, const BIGNUM *p) {
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *r = BN_new();
  assert_int_equal(BN_mod_exp(r, base, x, p, ctx), 1);
  assert_true(BN_bn2binpad(r, out, BN_num_bytes(p)) > 0);
  BN_free(r);
  BN_CTX_free(ctx);
}

// A generator that gives these bytes.
static inline tn_result give_bytes(void *ctx, uint8_t *out, size_t n) {
  memcpy(out, ctx, n);
  return tn_success();
}

#endif
