#include "crypto/ec/p256.h"

#include "crypto/ec/p256_mul.h"
#include "p256_oracle.h"

// ---------------------------------------------------------------- numbers modulo p and n

// Values at which carries, borrows and reductions happen, for either modulus.
static const char *const edges[] = {
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000001",
    "0000000000000000000000000000000000000000000000000000000000000002",
    "0000000000000000000000000000000000000000000000000000000000000003",
    "000000000000000000000000000000000000000000000000ffffffffffffffff",
    "0000000000000000000000000000000000000000000000010000000000000000",
    "00000000000000000000000000000000ffffffffffffffffffffffffffffffff",
    "0000000000000000ffffffffffffffffffffffffffffffffffffffffffffffff",
    "8000000000000000000000000000000000000000000000000000000000000000",
    "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "00000000ffffffff00000000000000004319055258e8617b0c46353d039cdaae",  // 2^256 - 1 - n
    "00000000fffffffeffffffffffffffffffffffff000000000000000000000000",  // 2^256 - p - 1
    "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc63254f",  // n - 2
    "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550",
    "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",  // n
    "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632552",
    "ffffffff00000001000000000000000000000000fffffffffffffffffffffffd",  // p - 2
    "ffffffff00000001000000000000000000000000fffffffffffffffffffffffe",
    "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",  // p
    "ffffffff00000001000000000000000000000001000000000000000000000000",  // p + 1
    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
};

typedef struct {
  BN_CTX *ctx;
  BIGNUM *m, *a, *b, *r;
} modular;

static modular modular_new(const char *m) {
  return (modular){BN_CTX_new(), oracle_bn(m), BN_new(), BN_new(), BN_new()};
}

static void modular_free(modular *o) {
  BN_free(o->m);
  BN_free(o->a);
  BN_free(o->b);
  BN_free(o->r);
  BN_CTX_free(o->ctx);
}

static void assert_is(const modular *o, const uint8_t got[32]) {
  uint8_t want[32];
  assert_int_equal(BN_bn2binpad(o->r, want, 32), 32);
  assert_memory_equal(got, want, 32);
}

static void check_field(modular *o, const uint8_t a_bytes[32], const uint8_t b_bytes[32]) {
  tn_p256_fe a, b, r;
  uint8_t out[32];
  BN_bin2bn(a_bytes, 32, o->a);
  BN_bin2bn(b_bytes, 32, o->b);
  assert_true((tn_p256_fe_from_bytes(&a, a_bytes) != 0) == (BN_cmp(o->a, o->m) < 0));
  (void)tn_p256_fe_from_bytes(&b, b_bytes);
  BN_nnmod(o->a, o->a, o->m, o->ctx);
  BN_nnmod(o->b, o->b, o->m, o->ctx);

  tn_p256_fe_to_bytes(out, &a);
  BN_copy(o->r, o->a);
  assert_is(o, out);
  tn_p256_fe_add(&r, &a, &b);
  tn_p256_fe_to_bytes(out, &r);
  BN_mod_add(o->r, o->a, o->b, o->m, o->ctx);
  assert_is(o, out);
  tn_p256_fe_sub(&r, &a, &b);
  tn_p256_fe_to_bytes(out, &r);
  BN_mod_sub(o->r, o->a, o->b, o->m, o->ctx);
  assert_is(o, out);
  tn_p256_fe_mul(&r, &a, &b);
  tn_p256_fe_to_bytes(out, &r);
  BN_mod_mul(o->r, o->a, o->b, o->m, o->ctx);
  assert_is(o, out);
  tn_p256_fe_sqr(&r, &a);
  tn_p256_fe_to_bytes(out, &r);
  BN_mod_sqr(o->r, o->a, o->m, o->ctx);
  assert_is(o, out);
  tn_p256_fe_neg(&r, &a);
  tn_p256_fe_to_bytes(out, &r);
  BN_zero(o->r);
  BN_mod_sub(o->r, o->r, o->a, o->m, o->ctx);
  assert_is(o, out);
  tn_p256_fe_inv(&r, &a);
  tn_p256_fe_to_bytes(out, &r);
  if (BN_is_zero(o->a))
    BN_zero(o->r);
  else
    assert_non_null(BN_mod_inverse(o->r, o->a, o->m, o->ctx));
  assert_is(o, out);
  // In place.
  r = a;
  tn_p256_fe_mul(&r, &r, &r);
  tn_p256_fe_sqr(&a, &a);
  assert_true(tn_p256_fe_eq(&r, &a));
}

static void check_scalar(modular *o, const uint8_t a_bytes[32], const uint8_t b_bytes[32]) {
  tn_p256_scalar a, b, r;
  uint8_t out[32];
  BN_bin2bn(a_bytes, 32, o->a);
  BN_bin2bn(b_bytes, 32, o->b);
  assert_true((tn_p256_scalar_from_bytes(&a, a_bytes) != 0) == (BN_cmp(o->a, o->m) < 0));
  assert_true(tn_p256_scalar_decode(&a, a_bytes) == (BN_cmp(o->a, o->m) < 0 && !BN_is_zero(o->a)));
  (void)tn_p256_scalar_from_bytes(&b, b_bytes);
  BN_nnmod(o->a, o->a, o->m, o->ctx);
  BN_nnmod(o->b, o->b, o->m, o->ctx);

  tn_p256_scalar_to_bytes(out, &a);
  BN_copy(o->r, o->a);
  assert_is(o, out);
  tn_p256_scalar_add(&r, &a, &b);
  tn_p256_scalar_to_bytes(out, &r);
  BN_mod_add(o->r, o->a, o->b, o->m, o->ctx);
  assert_is(o, out);
  tn_p256_scalar_mul(&r, &a, &b);
  tn_p256_scalar_to_bytes(out, &r);
  BN_mod_mul(o->r, o->a, o->b, o->m, o->ctx);
  assert_is(o, out);
  tn_p256_scalar_inv(&r, &a);
  tn_p256_scalar_to_bytes(out, &r);
  if (BN_is_zero(o->a))
    BN_zero(o->r);
  else
    assert_non_null(BN_mod_inverse(o->r, o->a, o->m, o->ctx));
  assert_is(o, out);
}

// Random bytes with long runs of ones and zeros, which make carries.
static void runs(test_rng *rng, uint8_t out[32]) {
  test_rng_bytes(rng, out, 32);
  for (int i = 0; i < 4; i++) {
    uint64_t pick = test_rng_next(rng);
    size_t from = pick % 32, n = (pick >> 8) % (33 - from);
    if (pick >> 16 & 1) memset(out + from, pick >> 17 & 1 ? 0xff : 0, n);
  }
}

static void arithmetic_agrees(const char *m, void (*check)(modular *, const uint8_t *, const uint8_t *)) {
  modular o = modular_new(m);
  for (size_t i = 0; i < COUNT(edges); i++)
    for (size_t j = 0; j < COUNT(edges); j++) {
      bytes a = bytes_from_hex(edges[i]), b = bytes_from_hex(edges[j]);
      check(&o, a.p, b.p);
      bytes_free(&a);
      bytes_free(&b);
    }
  test_rng rng = {1};
  for (int i = 0; i < 500; i++) {
    uint8_t a[32], b[32];
    runs(&rng, a);
    runs(&rng, b);
    check(&o, a, b);
  }
  modular_free(&o);
}

static void the_field_agrees_with_libcrypto(void **state) {
  (void)state;
  arithmetic_agrees(P256_P, check_field);
}

static void scalars_agree_with_libcrypto(void **state) {
  (void)state;
  arithmetic_agrees(P256_N, check_scalar);
}

// ---------------------------------------------------------------- multiples of points

static void encode(uint8_t out[65], const tn_p256_point *p) {
  tn_p256_affine a;
  assert_false(tn_p256_point_is_infinity(p));
  tn_p256_point_to_affine(&a, p);
  tn_p256_point_encode(out, &a);
}

// k G and k P, each way that there is, for 1 <= k < n.
static void check_multiple(const uint8_t k_bytes[32], const uint8_t point[65]) {
  tn_p256_scalar k, zero = {{0}};
  tn_p256_affine p;
  tn_p256_point r;
  uint8_t want[65], got[65];
  assert_true(tn_p256_scalar_decode(&k, k_bytes));
  assert_true(tn_p256_point_decode(&p, tn_span_of(point, 65)));
  assert_true(oracle_mul(want, k_bytes, NULL));
  tn_p256_mul_base(&r, &k);
  encode(got, &r);
  assert_memory_equal(got, want, 65);
  tn_p256_mul_add_vartime(&r, &k, &zero, &p);
  encode(got, &r);
  assert_memory_equal(got, want, 65);
  assert_true(oracle_mul(want, k_bytes, point));
  tn_p256_mul(&r, &k, &p);
  encode(got, &r);
  assert_memory_equal(got, want, 65);
  tn_p256_mul_add_vartime(&r, &zero, &k, &p);
  encode(got, &r);
  assert_memory_equal(got, want, 65);
}

static void random_scalar(test_rng *rng, uint8_t out[32]) {
  tn_p256_scalar k;
  do {
    runs(rng, out);
  } while (!tn_p256_scalar_decode(&k, out));
}

static void random_point(test_rng *rng, uint8_t out[65]) {
  uint8_t k[32];
  random_scalar(rng, k);
  assert_true(oracle_mul(out, k, NULL));
}

static void multiples_of_every_kind_agree(void **state) {
  (void)state;
  test_rng rng = {2};
  uint8_t point[65], k[32];
  random_point(&rng, point);
  for (size_t i = 0; i < COUNT(edges); i++) {
    bytes edge = bytes_from_hex(edges[i]);
    tn_p256_scalar s;
    if (tn_p256_scalar_decode(&s, edge.p)) check_multiple(edge.p, point);
    bytes_free(&edge);
  }
  // Small ones and their negatives: every first digit, and sums that are doublings or inverses in the last window.
  BIGNUM *n = oracle_bn(P256_N);
  for (unsigned i = 1; i <= 130; i++) {
    memset(k, 0, 32);
    k[31] = (uint8_t)i;
    check_multiple(k, point);
    BN_sub_word(n, 1);
    BN_bn2binpad(n, k, 32);
    check_multiple(k, point);
  }
  BN_free(n);
  // Each bit alone, each prefix of ones.
  for (int i = 0; i < 256; i++) {
    memset(k, 0, 32);
    k[31 - i / 8] = (uint8_t)(1 << i % 8);
    check_multiple(k, point);
    for (int j = 0; j < i; j++) k[31 - j / 8] |= (uint8_t)(1 << j % 8);
    tn_p256_scalar s;
    if (tn_p256_scalar_decode(&s, k)) check_multiple(k, point);
  }
  for (int i = 0; i < 200; i++) {
    random_point(&rng, point);
    random_scalar(&rng, k);
    check_multiple(k, point);
  }
}

// Every entry of the table: j * 2^(12 i) * G, for one digit alone.
static void every_entry_of_the_base_table_is_right(void **state) {
  (void)state;
  for (int row = 0; row < 22; row++)
    for (unsigned j = 1; j <= 32; j++) {
      uint8_t k[32] = {0}, want[65], got[65];
      unsigned shift = 12 * (unsigned)row, wide = j << shift % 8;
      if (shift / 8 == 31 && wide > 255) continue;  // 2^256 and above
      k[31 - shift / 8] = (uint8_t)wide;
      if (wide > 255) k[30 - shift / 8] = (uint8_t)(wide >> 8);
      tn_p256_scalar s;
      if (!tn_p256_scalar_decode(&s, k)) continue;
      assert_true(oracle_mul(want, k, NULL));
      assert_ok(tn_p256_public(k, got));
      assert_memory_equal(got, want, 65);
    }
}

// a G + b P where the two are equal, opposite, or one is nothing.
static void sums_of_multiples_have_no_exception(void **state) {
  (void)state;
  test_rng rng = {3};
  static const char *const small[] = {"00", "01", "02", "03", "04", "0f", "10", "11", "1f", "20", "21", "40", "41"};
  for (size_t which = 0; which < 40; which++) {
    // P = m G for a small or random m, so that collisions happen.
    uint8_t m[32] = {0}, point[65];
    if (which < 12) {
      m[31] = (uint8_t)(which + 1);
    } else if (which < 24) {
      BIGNUM *n = oracle_bn(P256_N);
      BN_sub_word(n, which - 11);
      BN_bn2binpad(n, m, 32);
      BN_free(n);
    } else {
      random_scalar(&rng, m);
    }
    assert_true(oracle_mul(point, m, NULL));
    tn_p256_affine p;
    assert_true(tn_p256_point_decode(&p, tn_span_of(point, 65)));
    for (size_t i = 0; i < COUNT(small) * COUNT(small); i++) {
      bytes a8 = bytes_from_hex(small[i / COUNT(small)]), b8 = bytes_from_hex(small[i % COUNT(small)]);
      uint8_t a[32] = {0}, b[32] = {0}, k[32], want[65], got[65];
      a[31] = a8.p[0], b[31] = b8.p[0];
      bytes_free(&a8);
      bytes_free(&b8);
      tn_p256_scalar sa, sb, sm, sk;
      (void)tn_p256_scalar_from_bytes(&sa, a);
      (void)tn_p256_scalar_from_bytes(&sb, b);
      (void)tn_p256_scalar_from_bytes(&sm, m);
      tn_p256_scalar_mul(&sk, &sb, &sm);
      tn_p256_scalar_add(&sk, &sk, &sa);
      tn_p256_scalar_to_bytes(k, &sk);
      tn_p256_point r;
      tn_p256_mul_add_vartime(&r, &sa, &sb, &p);
      bool finite = oracle_mul(want, k, NULL);
      assert_int_equal(finite, tn_p256_point_is_infinity(&r) == 0);
      if (!finite) continue;
      encode(got, &r);
      assert_memory_equal(got, want, 65);
    }
  }
}

static void the_group_law_at_its_edges(void **state) {
  (void)state;
  test_rng rng = {4};
  uint8_t bytes_a[65], want[65], got[65];
  static const uint8_t two[32] = {[31] = 2};
  random_point(&rng, bytes_a);
  tn_p256_affine a, minus_a, nothing = {{{0}}, {{0}}};
  assert_true(tn_p256_point_decode(&a, tn_span_of(bytes_a, 65)));
  minus_a = a;
  tn_p256_fe_neg_if(&minus_a.y, UINT64_MAX);
  tn_p256_point infinity = {{{0}}, {{0}}, {{0}}}, pa = {a.x, a.y, tn_p256_fe_one}, pm = {minus_a.x, minus_a.y, pa.z}, r;

  tn_p256_point_double(&r, &infinity);
  assert_true(tn_p256_point_is_infinity(&r));
  tn_p256_point_add(&r, &pa, &pm);
  assert_true(tn_p256_point_is_infinity(&r));
  tn_p256_point_add_affine(&r, &pa, &minus_a);
  assert_true(tn_p256_point_is_infinity(&r));
  // That infinity has x != 0 and must still be neutral.
  tn_p256_point_add(&r, &r, &pa);
  encode(got, &r);
  assert_memory_equal(got, bytes_a, 65);
  tn_p256_point_add_vartime(&r, &pa, &pm);
  assert_true(tn_p256_point_is_infinity(&r));
  tn_p256_point_add(&r, &infinity, &infinity);
  assert_true(tn_p256_point_is_infinity(&r));
  tn_p256_point_add_vartime(&r, &infinity, &infinity);
  assert_true(tn_p256_point_is_infinity(&r));
  tn_p256_point_add_affine_vartime(&r, &infinity, &nothing);
  assert_true(tn_p256_point_is_infinity(&r));
  tn_p256_point_add_affine(&r, &pa, &nothing);
  encode(got, &r);
  assert_memory_equal(got, bytes_a, 65);
  tn_p256_point_add_affine(&r, &infinity, &a);
  encode(got, &r);
  assert_memory_equal(got, bytes_a, 65);
  tn_p256_point_add(&r, &pa, &infinity);
  encode(got, &r);
  assert_memory_equal(got, bytes_a, 65);

  assert_true(oracle_mul(want, two, bytes_a));
  tn_p256_point_add_vartime(&r, &pa, &pa);
  encode(got, &r);
  assert_memory_equal(got, want, 65);
  tn_p256_point_add_affine_vartime(&r, &pa, &a);
  encode(got, &r);
  assert_memory_equal(got, want, 65);
}

// ---------------------------------------------------------------- keys and secrets

static void refuses_private_keys_out_of_range(void **state) {
  (void)state;
  static const struct {
    const char *priv;
    bool valid;
  } rows[] = {
      {"0000000000000000000000000000000000000000000000000000000000000000", false},
      {"0000000000000000000000000000000000000000000000000000000000000001", true},
      {"ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550", true},
      {P256_N, false},
      {"ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632552", false},
      {P256_P, false},
      {"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", false},
  };
  test_rng rng = {5};
  uint8_t peer[65], pub[65], secret[32] = {0}, sig[64];
  random_point(&rng, peer);
  for (size_t i = 0; i < COUNT(rows); i++) {
    bytes priv = bytes_from_hex(rows[i].priv);
    uint16_t want = rows[i].valid ? TN_E_NONE : TN_E_KEY_INVALID;
    assert_int_equal(tn_p256_public(priv.p, pub).reason, want);
    assert_int_equal(tn_p256_ecdh(priv.p, tn_span_of(peer, 65), secret).reason, want);
    assert_int_equal(tn_p256_sign(NULL, priv.p, secret, 32, sig).reason, want);
    bytes_free(&priv);
  }
}

static void refuses_what_is_no_point(void **state) {
  (void)state;
  test_rng rng = {6};
  uint8_t good[65], bad[66], priv[32], secret[32];
  random_point(&rng, good);
  random_scalar(&rng, priv);
  assert_ok(tn_p256_check_public(tn_span_of(good, 65)));
#define REFUSED(p, n)                                                          \
  do {                                                                         \
    assert_fails(tn_p256_check_public(tn_span_of(p, n)), KEY_INVALID);         \
    assert_fails(tn_p256_ecdh(priv, tn_span_of(p, n), secret), BAD_KEY_SHARE); \
  } while (0)
  REFUSED(NULL, 0);
  for (size_t n = 0; n <= 66; n++) {
    if (n == 65) continue;
    memset(bad, 0, sizeof bad);
    memcpy(bad, good, n < 65 ? n : 65);
    REFUSED(bad, n);
  }
  // Every other first byte, hybrid forms among them.
  for (unsigned first = 0; first < 256; first++) {
    if (first == 4) continue;
    memcpy(bad, good, 65);
    bad[0] = (uint8_t)first;
    REFUSED(bad, 65);
  }
  // Compressed, and infinity.
  memcpy(bad, good, 33);
  bad[0] = (uint8_t)(2 + (good[64] & 1));
  REFUSED(bad, 33);
  static const uint8_t zeros[65], origin[65] = {4};
  REFUSED(zeros, 1);
  REFUSED(zeros, 65);
  REFUSED(origin, 65);
  // Each bit of the coordinates flipped.
  for (size_t bit = 8; bit < 65 * 8; bit++) {
    memcpy(bad, good, 65);
    bad[bit / 8] ^= (uint8_t)(1 << bit % 8);
    REFUSED(bad, 65);
  }
}

// (0, sqrt b) is on the curve; (p, sqrt b) is the same point with a coordinate that is not reduced.
static void refuses_coordinates_that_are_not_reduced(void **state) {
  (void)state;
  bytes x0 = bytes_from_hex(
      "040000000000000000000000000000000000000000000000000000000000000000"
      "66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4");
  assert_ok(tn_p256_check_public(bytes_span(x0)));
  bytes p = bytes_from_hex(P256_P);
  memcpy(x0.p + 1, p.p, 32);
  assert_fails(tn_p256_check_public(bytes_span(x0)), KEY_INVALID);
  memcpy(x0.p + 33, p.p, 32);
  assert_fails(tn_p256_check_public(bytes_span(x0)), KEY_INVALID);
  bytes_free(&x0);
  bytes_free(&p);
}

static void shared_secrets_agree_with_libcrypto(void **state) {
  (void)state;
  test_rng seed = {7};
  tn_rng rng = test_rng_as_rng(&seed);
  for (int i = 0; i < 100; i++) {
    uint8_t a[32], b[32], pub_a[65], pub_b[65], secret_a[32], secret_b[32], point[65];
    assert_ok(tn_p256_generate(&rng, a, pub_a));
    assert_ok(tn_p256_generate(&rng, b, pub_b));
    assert_ok(tn_p256_check_public(tn_span_of(pub_a, 65)));
    assert_ok(tn_p256_ecdh(a, tn_span_of(pub_b, 65), secret_a));
    assert_ok(tn_p256_ecdh(b, tn_span_of(pub_a, 65), secret_b));
    assert_memory_equal(secret_a, secret_b, 32);
    EVP_PKEY *mine = oracle_key(a, pub_a), *theirs = oracle_key(NULL, pub_b);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(mine, NULL);
    size_t n = 32;
    assert_int_equal(EVP_PKEY_derive_init(ctx), 1);
    assert_int_equal(EVP_PKEY_derive_set_peer(ctx, theirs), 1);
    assert_int_equal(EVP_PKEY_derive(ctx, secret_b, &n), 1);
    assert_memory_equal(secret_a, secret_b, 32);
    assert_true(oracle_mul(point, a, NULL));
    assert_memory_equal(pub_a, point, 65);
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(mine);
    EVP_PKEY_free(theirs);
  }
}

// ---------------------------------------------------------------- generators that misbehave

typedef struct {
  unsigned calls, fail_at;
  uint8_t until, fill;  // calls up to `until` give bytes `fill`, later ones bytes 1
} bad_rng;

static tn_result bad_fill(void *ctx, uint8_t *out, size_t n) {
  bad_rng *r = ctx;
  if (++r->calls == r->fail_at) return tn_fail(TN_E_NO_RANDOM);
  memset(out, r->calls <= r->until ? r->fill : 1, n);
  return tn_success();
}

static void generation_rejects_candidates_and_passes_failures_on(void **state) {
  (void)state;
  uint8_t priv[32], pub[65], want[32];
  memset(want, 1, 32);
  for (unsigned fill = 0; fill < 256; fill += 255) {
    bad_rng r = {.until = 3, .fill = (uint8_t)fill};
    assert_ok(tn_p256_generate(&(tn_rng){bad_fill, &r}, priv, pub));
    assert_int_equal(r.calls, 4);
    assert_memory_equal(priv, want, 32);
    r = (bad_rng){.until = 255, .fill = (uint8_t)fill};
    assert_fails(tn_p256_generate(&(tn_rng){bad_fill, &r}, priv, pub), NO_RANDOM);
  }
  for (unsigned fail_at = 1; fail_at <= 3; fail_at++) {
    bad_rng r = {.fail_at = fail_at, .until = 2, .fill = 0xff};
    assert_fails(tn_p256_generate(&(tn_rng){bad_fill, &r}, priv, pub), NO_RANDOM);
    assert_int_equal(r.calls, fail_at);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_field_agrees_with_libcrypto),
      cmocka_unit_test(scalars_agree_with_libcrypto),
      cmocka_unit_test(multiples_of_every_kind_agree),
      cmocka_unit_test(every_entry_of_the_base_table_is_right),
      cmocka_unit_test(sums_of_multiples_have_no_exception),
      cmocka_unit_test(the_group_law_at_its_edges),
      cmocka_unit_test(refuses_private_keys_out_of_range),
      cmocka_unit_test(refuses_what_is_no_point),
      cmocka_unit_test(refuses_coordinates_that_are_not_reduced),
      cmocka_unit_test(shared_secrets_agree_with_libcrypto),
      cmocka_unit_test(generation_rejects_candidates_and_passes_failures_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
