#include "pki/identity.h"
#include "pki/key.h"
#include "pki_support.h"

// leaf <- intermediate <- root, and somebody else.
static issued root, intermediate, leaf, stranger;

static int setup(void **state) {
  (void)state;
  tn_span host = text_span("example.org");
  tn_cert_spec spec = {.not_before = NOW - DAY, .not_after = NOW + DAY, .is_ca = true};
  spec.common_name = text_span("Root");
  issue(&root, &spec, NULL);
  spec.common_name = text_span("Intermediate");
  issue(&intermediate, &spec, &root);
  spec.common_name = text_span("Stranger");
  issue(&stranger, &spec, NULL);
  spec.is_ca = false;
  spec.common_name = host;
  spec.dns_names = &host;
  spec.n_dns_names = 1;
  issue(&leaf, &spec, &intermediate);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  issued *all[] = {&root, &intermediate, &leaf, &stranger};
  for (size_t i = 0; i < COUNT(all); i++) issued_free(all[i]);
  return 0;
}

static tn_span der_of(const issued *i) { return tn_span_of(i->der, i->n); }

static void assert_chain(const tn_identity *id, const issued *const *want, size_t n) {
  assert_int_equal(tn_identity_chain_len(id), n);
  for (size_t i = 0; i < n; i++) {
    tn_span der = tn_identity_chain_der(id, i);
    assert_int_equal(der.n, want[i]->n);
    assert_memory_equal(der.p, want[i]->der, der.n);
  }
  assert_null(tn_identity_chain_der(id, n).p);
  assert_int_equal(tn_identity_leaf(id)->der.n, want[0]->n);
  tn_public_key public = tn_key_public(tn_identity_key(id)), want_public = tn_key_public(want[0]->key);
  assert_memory_equal(public.point.p, want_public.point.p, public.point.n);
}

static void puts_any_order_in_order(void **state) {
  (void)state;
  static const struct {
    const issued *in[5];
    size_t n_in;
    const issued *out[3];
    size_t n_out;
  } rows[] = {
      {{&leaf}, 1, {&leaf}, 1},
      {{&leaf, &intermediate}, 2, {&leaf, &intermediate}, 2},
      {{&intermediate, &leaf}, 2, {&leaf, &intermediate}, 2},
      {{&root, &intermediate, &leaf}, 3, {&leaf, &intermediate, &root}, 3},
      {{&intermediate, &leaf, &root}, 3, {&leaf, &intermediate, &root}, 3},
      {{&stranger, &root, &leaf, &stranger, &intermediate}, 5, {&leaf, &intermediate, &root}, 3},
      {{&leaf, &leaf, &intermediate, &intermediate}, 4, {&leaf, &intermediate}, 2},
      {{&leaf, &root}, 2, {&leaf}, 1},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    tn_span ders[5];
    for (size_t j = 0; j < rows[i].n_in; j++) ders[j] = der_of(rows[i].in[j]);
    bytes pem = pem_of("CERTIFICATE", ders, rows[i].n_in);
    tn_identity *id;
    assert_ok(tn_identity_from_pem(NULL, bytes_span(pem), leaf.key, &id));
    memset(pem.p, 0, pem.n);  // nothing points into the text
    bytes_free(&pem);
    assert_chain(id, rows[i].out, rows[i].n_out);
    tn_identity_unref(id);
  }
}

static void takes_one_der(void **state) {
  (void)state;
  tn_identity *id;
  const issued *want[] = {&leaf};
  assert_ok(tn_identity_from_der(NULL, der_of(&leaf), leaf.key, &id));
  assert_chain(id, want, 1);
  assert_ptr_equal(tn_identity_ref(id), id);
  tn_identity_unref(id);
  assert_chain(id, want, 1);
  tn_identity_unref(id);
  tn_identity_unref(NULL);
}

static void says_why_not(void **state) {
  (void)state;
  tn_identity *id;
  tn_span one = der_of(&leaf), broken = tn_span_of("\x30\x00", 2);
  bytes good = pem_of("CERTIFICATE", &one, 1), bad = pem_of("CERTIFICATE", &broken, 1), other = pem_of("X", &one, 1);
  assert_fails(tn_identity_from_pem(NULL, text_span(""), leaf.key, &id), NO_CERTIFICATE_FOUND);
  assert_fails(tn_identity_from_pem(NULL, bytes_span(other), leaf.key, &id), NO_CERTIFICATE_FOUND);
  assert_fails(tn_identity_from_pem(NULL, bytes_span(bad), leaf.key, &id), CERT_MALFORMED);
  assert_fails(tn_identity_from_pem(NULL, bytes_span(good), root.key, &id), KEY_MISMATCH);
  assert_fails(tn_identity_from_pem(NULL, tn_span_of(good.p, good.n - 10), leaf.key, &id), PEM);
  good.p[40] = '!';
  assert_fails(tn_identity_from_pem(NULL, bytes_span(good), leaf.key, &id), PEM);
  assert_fails(tn_identity_from_der(NULL, der_of(&leaf), root.key, &id), KEY_MISMATCH);
  assert_fails(tn_identity_from_der(NULL, broken, leaf.key, &id), CERT_MALFORMED);
  assert_fails(tn_identity_from_der(NULL, text_span(""), leaf.key, &id), NO_CERTIFICATE_FOUND);
  bytes_free(&good);
  bytes_free(&bad);
  bytes_free(&other);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  tn_span ders[] = {der_of(&leaf), der_of(&intermediate)};
  bytes pem = pem_of("CERTIFICATE", ders, 2);
  size_t failures[2] = {0};
  for (int form = 0; form < 2; form++)
    for (size_t fail_at = 1;; fail_at++) {
      counting c;
      counting_init(&c, fail_at);
      tn_identity *id;
      tn_result r = form == 0 ? tn_identity_from_pem(&c.allocator, bytes_span(pem), leaf.key, &id)
                              : tn_identity_from_der(&c.allocator, ders[0], leaf.key, &id);
      if (tn_ok(r)) {
        tn_identity_unref(id);
        assert_int_equal(c.live, 0);
        break;
      }
      assert_int_equal(r.reason, TN_E_NO_MEMORY);
      assert_int_equal(c.live, 0);
      failures[form]++;
    }
  assert_int_equal(failures[0], 4);
  assert_int_equal(failures[1], 4);
  bytes_free(&pem);
}

// ---------------------------------------------------------------- trust anchors

static void trust_takes_what_parses(void **state) {
  (void)state;
  tn_span ders[] = {der_of(&root), tn_span_of("\x30\x00", 2), der_of(&stranger)};
  bytes pem = pem_of("CERTIFICATE", ders, 3), bad = pem_of("CERTIFICATE", &ders[1], 1);
  tn_trust *t;
  size_t added, skipped;
  assert_ok(tn_trust_new(NULL, &t));
  assert_int_equal(tn_trust_count(t), 0);
  assert_ok(tn_trust_add_pem(t, bytes_span(pem), &added, &skipped));
  assert_int_equal(added, 2);
  assert_int_equal(skipped, 1);
  assert_int_equal(tn_trust_count(t), 2);
  assert_fails(tn_trust_add_pem(t, bytes_span(bad), &added, &skipped), NO_CERTIFICATE_FOUND);
  assert_int_equal(added, 0);
  assert_int_equal(skipped, 1);
  assert_fails(tn_trust_add_pem(t, text_span("nothing"), NULL, NULL), NO_CERTIFICATE_FOUND);
  assert_fails(tn_trust_add_der(t, ders[1]), DER);
  assert_fails(tn_trust_add_der(t, text_span("")), DER);
  assert_ok(tn_trust_add_der(t, der_of(&intermediate)));
  assert_int_equal(tn_trust_count(t), 3);
  for (int i = 0; i < 100; i++) assert_ok(tn_trust_add_der(t, der_of(&root)));
  assert_int_equal(tn_trust_count(t), 103);
  assert_ptr_equal(tn_trust_ref(t), t);
  tn_trust_unref(t);
  tn_trust_unref(t);
  tn_trust_unref(NULL);
  bytes_free(&pem);
  bytes_free(&bad);
}

static void every_allocation_of_trust_may_fail(void **state) {
  (void)state;
  tn_span ders[20];
  for (size_t i = 0; i < 20; i++) ders[i] = der_of(&root);
  bytes pem = pem_of("CERTIFICATE", ders, 20);
  for (size_t fail_at = 1;; fail_at++) {
    counting c;
    counting_init(&c, fail_at);
    tn_trust *t = NULL;
    size_t added = 0;
    tn_result r = tn_trust_new(&c.allocator, &t);
    if (tn_ok(r)) {
      r = tn_trust_add_pem(t, bytes_span(pem), &added, NULL);
      assert_int_equal(tn_trust_count(t), added);
    }
    tn_trust_unref(t);
    assert_int_equal(c.live, 0);
    if (tn_ok(r)) {
      assert_true(fail_at > 20);
      break;
    }
    assert_int_equal(r.reason, TN_E_NO_MEMORY);
  }
  bytes_free(&pem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(puts_any_order_in_order),
      cmocka_unit_test(takes_one_der),
      cmocka_unit_test(says_why_not),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(trust_takes_what_parses),
      cmocka_unit_test(every_allocation_of_trust_may_fail),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
