// A client's rule for a server's own group: which it takes, with which exponents, and what it says of the others.
#include "dh_oracle.h"

// A p, g and share as a ServerKeyExchange has them, behind some zeros.
typedef struct offer {
  uint8_t p[2 * TN_DH_MAX_BYTES], g[2 * TN_DH_MAX_BYTES], share[2 * TN_DH_MAX_BYTES];
  tn_span p_span, g_span, share_span;
} offer;

static tn_span put(uint8_t *room, const BIGNUM *n, size_t zeros) {
  memset(room, 0, zeros);
  return (tn_span){room, zeros + (size_t)BN_bn2bin(n, room + zeros)};
}

static void make_offer(offer *o, const BIGNUM *p, const BIGNUM *g, const BIGNUM *share, size_t zeros) {
  o->p_span = put(o->p, p, zeros);
  o->g_span = put(o->g, g, zeros);
  o->share_span = put(o->share, share, zeros);
}

// The same bases in each run.
static test_rng bases = {1};

static tn_result accept_within(tn_dh_own *own, const offer *o, size_t min, size_t max, const tn_dh_group **group) {
  const tn_rng rng = test_rng_as_rng(&bases);
  return tn_dh_accept(own, o->p_span, o->g_span, o->share_span, min, max, &rng, group);
}

static tn_result accept(tn_dh_own *own, const offer *o, const tn_dh_group **group) {
  return accept_within(own, o, TN_DH_MIN_BITS, TN_DH_MAX_BITS, group);
}

static BIGNUM *word(BN_ULONG n) {
  BIGNUM *r = BN_new();
  BN_set_word(r, n);
  return r;
}

static BIGNUM *modulus(const tn_dh_group *g) { return BN_lebin2bn((const unsigned char *)g->p, g->len, NULL); }

// What the rule says of p alone; the rest is good.
static tn_result judge(const BIGNUM *p, size_t min, tn_dh_own *own, const tn_dh_group **group) {
  BIGNUM *g = word(5), *share = word(7);
  offer o;
  make_offer(&o, p, g, share, 0);
  BN_free(g), BN_free(share);
  return accept_within(own, &o, min, TN_DH_MAX_BITS, group);
}

static tn_result verdict(const BIGNUM *p, size_t min) {
  tn_dh_own own;
  const tn_dh_group *group;
  const tn_result r = judge(p, min, &own, &group);
  assert_int_equal(group != NULL, tn_ok(r));
  return r;
}

// ---------------------------------------------------------------- good groups

// Both sides of an exchange in an accepted group, the other one libcrypto's.
static void exchange_in(const tn_dh_group *group, const BIGNUM *p, const BIGNUM *g) {
  uint8_t share[TN_DH_MAX_BYTES], peer[TN_DH_MAX_BYTES], secret[TN_DH_MAX_BYTES], wanted[TN_DH_MAX_BYTES];
  BIGNUM *x = BN_new();
  assert_int_equal(group->len, BN_num_bytes(p));
  assert_int_equal(BN_rand(x, 500, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY), 1);
  bn_power(peer, g, x, p);
  assert_ok(tn_dh_exchange(group, NULL, (tn_span){peer, group->len}, share, secret));
  BIGNUM *y = bn_of(share, group->len);
  bn_power(wanted, y, x, p);
  assert_memory_equal(secret, wanted, group->len);
  BN_free(x), BN_free(y);
}

static void known_groups(void **state) {
  (void)state;
  BIGNUM *two = word(2), *five = word(5), *share = word(7);
  for (const tn_dh_group *g = tn_dh_groups; g->name != NULL; g++) {
    BIGNUM *p = modulus(g);
    tn_dh_own own;
    const tn_dh_group *group;
    offer o;
    for (size_t zeros = 0; zeros < 1000; zeros = 2 * zeros + 1) {
      make_offer(&o, p, two, share, zeros);
      assert_ok(accept(&own, &o, &group));
      assert_ptr_equal(group, g);
    }
    // Another generator: the exponents stay short.
    make_offer(&o, p, five, share, 0);
    assert_ok(accept(&own, &o, &group));
    assert_ptr_equal(group, &own.group);
    assert_int_equal(group->private_bits, g->private_bits);
    assert_null(group->comb);
    if (g->len <= 384) exchange_in(group, p, five);
    BN_free(p);
  }
  BN_free(two), BN_free(five), BN_free(share);
}

// Of RFC 5114: no safe primes, g of a short order. Of RFC 3526: one that is too small.
static void published_groups(void **state) {
  (void)state;
  static const struct {
    const char *name;
    size_t bits;
  } rows[] = {{"rfc5114_1024_160", 1024}, {"modp1536", 1536}, {"rfc5114_2048_224", 2048}, {"rfc5114_2048_256", 2048}};
  json_t *all = vectors_load("dhgroups/groups.json");
  for (size_t i = 0; i < COUNT(rows); i++) {
    const json_t *row = json_object_get(all, rows[i].name);
    bytes pb = json_hex(row, "p"), gb = json_hex(row, "g");
    BIGNUM *p = bn_of(pb.p, pb.n), *g = bn_of(gb.p, gb.n), *share = word(7);
    tn_dh_own own;
    const tn_dh_group *group;
    offer o;
    make_offer(&o, p, g, share, 0);
    if (rows[i].bits < TN_DH_MIN_BITS) assert_fails(accept(&own, &o, &group), DH_TOO_SMALL);
    assert_ok(accept_within(&own, &o, rows[i].bits, rows[i].bits, &group));
    assert_ptr_equal(group, &own.group);
    assert_int_equal(group->private_bits, rows[i].bits - 1);
    exchange_in(group, p, g);
    BN_free(p), BN_free(g), BN_free(share);
    bytes_free(&pb), bytes_free(&gb);
  }
  json_decref(all);
}

// Primes of sizes beside whole bytes, words and blocks; p - 1 is divisible by 2 once or often.
static void any_prime(void **state) {
  (void)state;
  static const struct { int bits, twos; } rows[] = {{1024, 1}, {1025, 2}, {1031, 64}, {1089, 200}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    BIGNUM *p = BN_new(), *step = word(1), *rest = word(1), *g = word(5);
    BN_lshift(step, step, rows[i].twos);
    assert_int_equal(BN_generate_prime_ex(p, rows[i].bits, 0, step, rest, NULL), 1);
    const size_t bits = (size_t)BN_num_bits(p);
    tn_dh_own own;
    const tn_dh_group *group;
    assert_ok(judge(p, 1024, &own, &group));
    assert_int_equal(group->private_bits, bits - 1);
    exchange_in(group, p, g);
    BN_free(p), BN_free(step), BN_free(rest), BN_free(g);
  }
}

// ---------------------------------------------------------------- bad ones

static void sizes(void **state) {
  (void)state;
  tn_dh_own own;
  const tn_dh_group *group;
  offer o;
  BIGNUM *g = word(2), *share = word(7), *p = BN_new(), *known = modulus(tn_dh_group_find(0x103));
  assert_int_equal(BN_generate_prime_ex(p, 1100, 0, NULL, NULL, NULL), 1);
  make_offer(&o, p, g, share, 5);
  assert_fails(accept(&own, &o, &group), DH_TOO_SMALL);
  assert_int_equal(accept(&own, &o, &group).alert, TN_ALERT_INSUFFICIENT_SECURITY);
  assert_null(group);
  assert_ok(accept_within(&own, &o, 1100, 1100, &group));
  assert_fails(accept_within(&own, &o, 1024, 1099, &group), DH_TOO_LARGE);
  make_offer(&o, known, g, share, 5);
  assert_fails(accept_within(&own, &o, 2048, 4096, &group), DH_TOO_LARGE);
  assert_fails(accept_within(&own, &o, 6145, 8192, &group), DH_TOO_SMALL);
  // However long it is, it is refused at once.
  for (size_t n = TN_DH_MAX_BYTES + 1; n < 66000; n += n) {
    uint8_t *ones = malloc(n);
    memset(ones, 0xff, n);
    o.p_span = (tn_span){ones, n};
    assert_fails(accept(&own, &o, &group), DH_TOO_LARGE);
    memset(ones, 0, n);
    assert_fails(accept(&own, &o, &group), DH_TOO_SMALL);
    free(ones);
  }
  o.p_span = (tn_span){NULL, 0};
  assert_fails(accept(&own, &o, &group), DH_TOO_SMALL);
  assert_fails(accept_within(&own, &o, 1023, 8192, &group), BAD_ARGUMENT);
  assert_fails(accept_within(&own, &o, 2048, 8193, &group), BAD_ARGUMENT);
  BN_free(g), BN_free(share), BN_free(p), BN_free(known);
}

static void generators_and_shares(void **state) {
  (void)state;
  BIGNUM *good = word(2), *bad = BN_new(), *p = modulus(&tn_dh_groups[5]);
  for (int unknown = 0; unknown < 2; unknown++) {
    if (unknown) BN_sub_word(p, 2);         // whether it is prime nobody looks any more
    for (int what = 0; what < 6; what++) {  // 0, 1, p - 1, p, p + 1, p 2^100
      BN_set_word(bad, what == 1);
      if (what >= 2) BN_copy(bad, p);
      if (what == 2) BN_sub_word(bad, 1);
      if (what == 4) BN_add_word(bad, 1);
      if (what == 5) BN_lshift(bad, bad, 100);
      for (size_t zeros = 0; zeros < 4; zeros += 3) {
        tn_dh_own own;
        const tn_dh_group *group;
        offer o;
        make_offer(&o, p, bad, good, zeros);
        assert_fails(accept(&own, &o, &group), DH_GENERATOR);
        make_offer(&o, p, good, bad, zeros);
        assert_fails(accept(&own, &o, &group), BAD_KEY_SHARE);
        assert_null(group);
      }
    }
  }
  BN_free(good), BN_free(bad), BN_free(p);
}

static void composites(void **state) {
  (void)state;
  BIGNUM *p = BN_new(), *a = BN_new(), *b = BN_new(), *step = word(1), *rest = word(1);
  BN_CTX *ctx = BN_CTX_new();
  // A known prime that somebody's hand slipped on.
  for (const tn_dh_group *g = tn_dh_groups; g->len <= 384; g++) {
    BN_free(p);
    p = modulus(g);
    for (int bit = 0; bit < 64; bit += 30) {
      BN_set_bit(p, bit);
      BN_clear_bit(p, bit);
      assert_fails(verdict(p, 2048), DH_NOT_PRIME);
      BN_set_bit(p, bit);
    }
  }
  for (int i = 0; i < 2; i++) {
    assert_int_equal(BN_generate_prime_ex(a, 1024, 0, NULL, NULL, NULL), 1);
    assert_int_equal(BN_generate_prime_ex(b, 1025, 0, NULL, NULL, NULL), 1);
    BN_mul(p, a, b, ctx);
    assert_fails(verdict(p, 2048), DH_NOT_PRIME);
    BN_sqr(p, b, ctx);
    assert_fails(verdict(p, 2048), DH_NOT_PRIME);
  }
  // p - 1 often divisible by 2: squarings until the end.
  BN_lshift(step, step, 300);
  assert_int_equal(BN_generate_prime_ex(p, 1200, 0, step, rest, NULL), 1);
  for (int i = 0; i < 5; i++) {
    BN_add(p, p, step);
    if (BN_check_prime(p, ctx, NULL) == 0) assert_fails(verdict(p, 1024), DH_NOT_PRIME);
  }
  BN_free(p), BN_free(a), BN_free(b), BN_free(step), BN_free(rest);
  BN_CTX_free(ctx);
}

// Numbers made to pass tests like ours pass it once in sixteen times at most, whichever base they were made for.
static void composites_made_to_pass(void **state) {
  (void)state;
  json_t *file = vectors_load("wycheproof/primality_test.json");
  bases.state = 1;
  size_t i, j, tries = 0, passed = 0, primes = 0;
  json_t *group, *test;
  json_array_foreach(json_object_get(file, "testGroups"), i, group) {
    json_array_foreach(json_object_get(group, "tests"), j, test) {
      bytes value = json_hex(test, "value");
      BIGNUM *p = bn_of(value.p, value.n);
      const bool large = BN_num_bits(p) >= TN_DH_LEAST_BITS && BN_num_bits(p) <= TN_DH_MAX_BITS;
      if (large && strcmp(json_string_value(json_object_get(test, "result")), "valid") == 0) {
        assert_ok(verdict(p, TN_DH_LEAST_BITS));
        primes++;
      } else if (large) {
        passed += tn_ok(verdict(p, TN_DH_LEAST_BITS));
        tries++;
      }
      BN_free(p);
      bytes_free(&value);
    }
  }
  print_message("%zu primes; of %zu composites %zu passed\n", primes, tries, passed);
  assert_true(tries > 100 && passed < tries / 10);
  json_decref(file);
}

static tn_result fill_fails(void *ctx, uint8_t *out, size_t n) {
  (void)ctx, (void)out, (void)n;
  return tn_fail(TN_E_NO_RANDOM);
}

static void a_failing_rng(void **state) {
  (void)state;
  const tn_rng rng = {fill_fails, NULL};
  BIGNUM *p = BN_new(), *g = word(2);
  tn_dh_own own;
  const tn_dh_group *group;
  offer o;
  assert_int_equal(BN_generate_prime_ex(p, 1024, 0, NULL, NULL, NULL), 1);
  make_offer(&o, p, g, g, 0);
  assert_fails(tn_dh_accept(&own, o.p_span, o.g_span, o.share_span, 1024, 8192, &rng, &group), NO_RANDOM);
  assert_null(group);
  BN_free(p), BN_free(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_groups),  cmocka_unit_test(published_groups),
      cmocka_unit_test(any_prime),     cmocka_unit_test(sizes),
      cmocka_unit_test(composites),    cmocka_unit_test(generators_and_shares),
      cmocka_unit_test(a_failing_rng), cmocka_unit_test(composites_made_to_pass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
