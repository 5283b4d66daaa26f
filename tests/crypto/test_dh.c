// Finite-field Diffie-Hellman against libcrypto's exponentiation, and its refusals.
#include <openssl/bn.h>

#include "crypto/dh/dh.h"
#include "support/support.h"

static void shares_and_secrets_agree(void **state) {
  (void)state;
  for (const tn_dh_group *group = tn_dh_groups; group->name != NULL; group++) {
    uint8_t a[TN_DH_MAX_PRIVATE], b[TN_DH_MAX_PRIVATE], sa[TN_DH_MAX_BYTES], sb[TN_DH_MAX_BYTES];
    uint8_t za[TN_DH_MAX_BYTES], zb[TN_DH_MAX_BYTES], pad[TN_DH_MAX_BYTES];
    size_t n = group->len;
    assert_ok(tn_dh_generate(group, NULL, a, sa));
    assert_ok(tn_dh_generate(group, NULL, b, sb));
    assert_ok(tn_dh_secret(group, a, (tn_span){sb, n}, za));
    assert_ok(tn_dh_secret(group, b, (tn_span){sa, n}, zb));
    assert_memory_equal(za, zb, n);
    BN_CTX *ctx = BN_CTX_new();
    BIGNUM *p = BN_lebin2bn((const unsigned char *)group->p, (int)n, NULL), *r = BN_new();
    BIGNUM *y = BN_bin2bn(sb, (int)n, NULL), *x = BN_bin2bn(a, (int)tn_dh_private_len(group), NULL);
    assert_int_equal(BN_num_bits(x), group->private_bits);
    assert_int_equal(BN_mod_exp(r, y, x, p, ctx), 1);
    BN_bn2binpad(r, pad, (int)n);
    assert_memory_equal(za, pad, n);
    BN_bn2binpad(p, pad, (int)n);
    static const uint8_t two = 2;
    assert_ptr_equal(tn_dh_group_of((tn_span){pad, n}, (tn_span){&two, 1}), group);
    // p, p - 1, 1 and 0 are refused; p - 2 is not.
    assert_fails(tn_dh_secret(group, a, (tn_span){pad, n}, za), BAD_KEY_SHARE);
    pad[n - 1] -= 1;
    assert_fails(tn_dh_secret(group, a, (tn_span){pad, n}, za), BAD_KEY_SHARE);
    assert_null(tn_dh_group_of((tn_span){pad, n}, (tn_span){&two, 1}));
    pad[n - 1] -= 1;
    assert_ok(tn_dh_secret(group, a, (tn_span){pad, n}, za));
    memset(pad, 0, n);
    assert_fails(tn_dh_secret(group, a, (tn_span){pad, n}, za), BAD_KEY_SHARE);
    pad[n - 1] = 1;
    assert_fails(tn_dh_secret(group, a, (tn_span){pad, n}, za), BAD_KEY_SHARE);
    BN_free(p), BN_free(r), BN_free(y), BN_free(x), BN_CTX_free(ctx);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shares_and_secrets_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
