// Finite-field Diffie-Hellman against libcrypto's exponentiation, in every group of the table and in others; and its
// refusals.
#include "dh_oracle.h"
#include "support/spans.h"

// ---------------------------------------------------------------- the table

static void the_table(void **state) {
  (void)state;
  // RFC 7919 section 5.2 and appendix A; RFC 3526 has the same sizes.
  static const struct {
    const char *name;
    uint16_t id, bits, private_bits;
    BIGNUM *(*rfc3526)(BIGNUM *);
  } rows[] = {
      {"ffdhe2048", 0x100, 2048, 225, NULL},
      {"ffdhe3072", 0x101, 3072, 275, NULL},
      {"ffdhe4096", 0x102, 4096, 325, NULL},
      {"ffdhe6144", 0x103, 6144, 375, NULL},
      {"ffdhe8192", 0x104, 8192, 400, NULL},
      {"modp2048", 0, 2048, 225, BN_get_rfc3526_prime_2048},
      {"modp3072", 0, 3072, 275, BN_get_rfc3526_prime_3072},
      {"modp4096", 0, 4096, 325, BN_get_rfc3526_prime_4096},
      {"modp6144", 0, 6144, 375, BN_get_rfc3526_prime_6144},
      {"modp8192", 0, 8192, 400, BN_get_rfc3526_prime_8192},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    const tn_dh_group *g = &tn_dh_groups[i];
    assert_string_equal(g->name, rows[i].name);
    assert_int_equal(g->id, rows[i].id);
    assert_int_equal(8 * g->len, rows[i].bits);
    assert_int_equal(g->private_bits, rows[i].private_bits);
    assert_ptr_equal(tn_dh_group_find(rows[i].id), rows[i].id == 0 ? NULL : g);
    if (rows[i].rfc3526 == NULL) continue;
    BIGNUM *ours = BN_lebin2bn((const unsigned char *)g->p, g->len, NULL), *theirs = rows[i].rfc3526(NULL);
    assert_int_equal(BN_cmp(ours, theirs), 0);
    BN_free(ours);
    BN_free(theirs);
  }
  assert_null(tn_dh_groups[COUNT(rows)].name);
  assert_null(tn_dh_group_find(0));
  assert_null(tn_dh_group_find(261));
}

static void the_published_primes(void **state) {
  (void)state;
  json_t *all = vectors_load("dhgroups/groups.json");
  for (const tn_dh_group *g = tn_dh_groups; g->name != NULL; g++) {
    bytes p = json_hex(json_object_get(all, g->name), "p");
    assert_int_equal(p.n, g->len);
    for (size_t i = 0; i < p.n; i++) assert_int_equal(p.p[p.n - 1 - i], (uint8_t)(g->p[i / 8] >> 8 * (i % 8)));
    bytes_free(&p);
  }
  json_decref(all);
}

// ---------------------------------------------------------------- exchanges

// One side's every function, with `drawn` as its random bytes, against the other side's share.
static void check_exchange(const tn_dh_group *group, uint8_t *drawn, const uint8_t *peer) {
  const size_t n = group->len, k = tn_dh_private_len(group);
  const tn_rng rng = {give_bytes, drawn};
  const unsigned top = (group->private_bits - 1u) % 8;
  guarded priv = make_guarded(k, 1), share = make_guarded(n, 3), secret = make_guarded(n, 5);
  guarded again = make_guarded(n, 2), secret_again = make_guarded(n, 0);
  uint8_t wanted[TN_DH_MAX_BYTES];
  assert_ok(tn_dh_generate(group, &rng, priv.p, share.p));
  assert_upper_vectors_wiped();
  drawn[0] = (uint8_t)((drawn[0] & ((1u << top) - 1)) | 1u << top);
  assert_memory_equal(priv.p, drawn, k);
  assert_ok(tn_dh_secret(group, priv.p, (tn_span){peer, n}, secret.p));
  assert_upper_vectors_wiped();

  BIGNUM *p = BN_lebin2bn((const unsigned char *)group->p, (int)n, NULL), *x = bn_of(priv.p, k), *y = bn_of(peer, n);
  BIGNUM *g = BN_new();
  assert_int_equal(BN_num_bits(x), group->private_bits);
  if (group->g != NULL)
    BN_lebin2bn((const unsigned char *)group->g, (int)n, g);
  else
    BN_set_word(g, 2);
  bn_power(wanted, g, x, p);
  assert_memory_equal(share.p, wanted, n);
  bn_power(wanted, y, x, p);
  assert_memory_equal(secret.p, wanted, n);

  assert_ok(tn_dh_exchange(group, &rng, (tn_span){peer, n}, again.p, secret_again.p));
  assert_upper_vectors_wiped();
  assert_memory_equal(again.p, share.p, n);
  assert_memory_equal(secret_again.p, secret.p, n);
  BN_free(p), BN_free(x), BN_free(y), BN_free(g);
  check_and_free_guarded(&priv), check_and_free_guarded(&share), check_and_free_guarded(&secret);
  check_and_free_guarded(&again), check_and_free_guarded(&secret_again);
}

static void exchanges(const tn_dh_group *group, test_rng *rng, size_t rounds) {
  uint8_t drawn[TN_DH_MAX_PRIVATE], priv[TN_DH_MAX_PRIVATE], peer[TN_DH_MAX_BYTES];
  const tn_rng given = test_rng_as_rng(rng);
  for (size_t round = 0; round < rounds; round++) {
    assert_ok(tn_dh_generate(group, &given, priv, peer));
    test_rng_bytes(rng, drawn, sizeof drawn);
    if (round == 1) memset(drawn, 0, sizeof drawn);
    if (round == 2) memset(drawn, 0xff, sizeof drawn);
    check_exchange(group, drawn, peer);
  }
}

static void every_group(void **state) {
  (void)state;
  test_rng rng = {1};
  for (const tn_dh_group *g = tn_dh_groups; g->name != NULL; g++) exchanges(g, &rng, g->len <= 512 ? 3 : 1);
}

// Any odd modulus and any generator: sizes beside whole words and blocks of words.
static void any_group(void **state) {
  (void)state;
  static const struct {
    int bits, private_bits;
  } rows[] = {{1024, 1023}, {1025, 160},  {1536, 161}, {2047, 199}, {2048, 255},
              {2049, 256},  {2111, 1000}, {2112, 257}, {3073, 64},  {4095, 65}};
  test_rng rng = {2};
  for (size_t i = 0; i < COUNT(rows); i++) {
    BIGNUM *p = BN_new(), *g = BN_new();
    tn_dh_own own;
    assert_int_equal(BN_rand(p, rows[i].bits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ODD), 1);
    assert_int_equal(BN_rand_range(g, p), 1);
    dh_own_of(&own, p, g, (size_t)rows[i].private_bits);
    exchanges(&own.group, &rng, 1);
    BN_free(p), BN_free(g);
  }
}

// ---------------------------------------------------------------- refusals

static void bad_shares(void **state) {
  (void)state;
  static const uint8_t zeros[TN_DH_MAX_BYTES];
  for (const tn_dh_group *g = tn_dh_groups; g->name != NULL; g++) {
    const size_t n = g->len;
    uint8_t priv[TN_DH_MAX_PRIVATE], own[TN_DH_MAX_BYTES], secret[TN_DH_MAX_BYTES], padded[7 + TN_DH_MAX_BYTES] = {0};
    uint8_t *share = padded + 7;
    assert_ok(tn_dh_generate(g, NULL, priv, own));
    // As numbers: 0, 1, p - 1, p and p + 1; and what has more bytes.
    for (int what = 0; what < 6; what++) {
      for (size_t i = 0; i < n; i++) share[n - 1 - i] = (uint8_t)(what < 2 ? 0 : g->p[i / 8] >> 8 * (i % 8));
      if (what == 1) share[n - 1] = 1;
      if (what == 2) share[n - 1] -= 1;
      if (what == 4)
        for (size_t i = n; i-- != 0 && ++share[i] == 0;) {
        }
      if (what == 5) memset(share, 1, n), share[-1] = 1;
      for (size_t zeros_before = what == 5 ? 1 : 0; zeros_before <= 7; zeros_before += 7) {
        const tn_span bad = {share - zeros_before, n + zeros_before};
        memset(secret, 1, sizeof secret);
        assert_fails(tn_dh_secret(g, priv, bad, secret), BAD_KEY_SHARE);
        assert_memory_equal(secret, zeros, n);
        memset(secret, 1, sizeof secret);
        assert_fails(tn_dh_exchange(g, NULL, bad, own, secret), BAD_KEY_SHARE);
        assert_memory_equal(secret, zeros, n);
      }
      share[-1] = 0;
    }
    assert_fails(tn_dh_secret(g, priv, (tn_span){NULL, 0}, secret), BAD_KEY_SHARE);
    // 2 and p - 2 are good, however many zeros are before them or left out.
    static const uint8_t two = 2;
    assert_ok(tn_dh_secret(g, priv, (tn_span){&two, 1}, secret));
    for (size_t i = 0; i < n; i++) share[n - 1 - i] = (uint8_t)(g->p[i / 8] >> 8 * (i % 8));
    share[n - 1] -= 2;
    assert_ok(tn_dh_secret(g, priv, (tn_span){padded, 7 + n}, secret));
  }
}

static tn_result fill_fails(void *ctx, uint8_t *out, size_t n) {
  (void)ctx, (void)out, (void)n;
  return tn_fail(TN_E_NO_RANDOM);
}

static void a_failing_rng(void **state) {
  (void)state;
  const tn_rng rng = {fill_fails, NULL};
  uint8_t priv[TN_DH_MAX_PRIVATE], share[TN_DH_MAX_BYTES], secret[TN_DH_MAX_BYTES];
  static const uint8_t two = 2;
  assert_fails(tn_dh_generate(&tn_dh_groups[0], &rng, priv, share), NO_RANDOM);
  assert_fails(tn_dh_exchange(&tn_dh_groups[0], &rng, (tn_span){&two, 1}, share, secret), NO_RANDOM);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table), cmocka_unit_test(the_published_primes), cmocka_unit_test(every_group),
      cmocka_unit_test(any_group), cmocka_unit_test(bad_shares),           cmocka_unit_test(a_failing_rng),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
