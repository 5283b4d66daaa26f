// A client whose first group is a hybrid: its hello also has the share of the hybrid's curve, the same key, so that a
// server that knows the curve alone need not ask again.
#include "base/bytes.h"
#include "tls/support/script.h"

#define HYBRID 0x11ec
#define CURVE 0x001d
#define P256 0x0017

// The client's shares, as the engine's hello has them.
static tn_span shares_of(script *s) {
  tn_reader r = tn_reader_of(script_take(s, TN_MSG_CLIENT_HELLO)), skipped, block, body, list;
  tn_span fixed;
  uint16_t id;
  assert_true(tn_read_span(&r, 34, &fixed) && tn_read_block8(&r, &skipped) && tn_read_block16(&r, &skipped) &&
              tn_read_block8(&r, &skipped) && tn_read_block16(&r, &block));
  while (tn_read_u16(&block, &id) && tn_read_block16(&block, &body))
    if (id == 51) {
      assert_true(tn_read_block16(&body, &list));
      return tn_reader_rest(&list);
    }
  fail_msg("no key_share");
  return (tn_span){NULL, 0};
}

static void the_hello_has_both(void **state) {
  (void)state;
  script s;
  uint16_t first_id, second_id;
  tn_reader first, second;
  script_open(&s, &fixture, TN_SERVER);
  tn_reader list = tn_reader_of(shares_of(&s));
  assert_true(tn_read_u16(&list, &first_id) && tn_read_block16(&list, &first));
  assert_true(tn_read_u16(&list, &second_id) && tn_read_block16(&list, &second));
  assert_int_equal(list.n, 0);
  assert_int_equal(first_id, HYBRID);
  assert_int_equal(first.n, 1216);
  assert_int_equal(second_id, CURVE);
  assert_int_equal(second.n, 32);
  assert_memory_equal(first.p + 1216 - 32, second.p, 32);
  script_close(&s);
}

static void either_is_answered(void **state) {
  (void)state;
  // The groups of the client and of the server, the one that is found, and whether by a retry.
  static const struct {
    uint16_t client[3], server[2], found;
    size_t n_client, n_server;
    bool retried;
  } rows[] = {
      {{HYBRID, CURVE}, {HYBRID, CURVE}, HYBRID, 2, 2, false},
      {{HYBRID, CURVE}, {CURVE}, CURVE, 2, 1, false},
      {{HYBRID, CURVE}, {CURVE, HYBRID}, CURVE, 2, 2, false},
      {{HYBRID, CURVE, P256}, {P256}, P256, 3, 1, true},
      {{HYBRID, P256}, {HYBRID}, HYBRID, 2, 1, false},
      {{HYBRID, P256}, {P256}, P256, 2, 1, true},
      {{P256, HYBRID, CURVE}, {HYBRID, CURVE}, HYBRID, 3, 2, true},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    pair p;
    pair_make(&p, NULL);
    assert_ok(tn_config_set_groups(p.client_config, rows[i].client, rows[i].n_client));
    assert_ok(tn_config_set_groups(p.server_config, rows[i].server, rows[i].n_server));
    pair_connect(&p);
    pair_handshake(&p);
    tn_conn *const sides[] = {p.client, p.server};
    for (size_t side = 0; side < 2; side++) {
      tn_conn_info info;
      tn_conn_get_info(sides[side], &info);
      assert_int_equal(info.group_id, rows[i].found);
      assert_int_equal(info.retried, rows[i].retried);
    }
    pair_exchange(p.client, p.server, 1000);
    pair_exchange(p.server, p.client, 1000);
    pair_free(&p);
  }
}

// A server may not answer with a curve whose share came only inside the hybrid.
static void a_curve_that_was_not_offered(void **state) {
  (void)state;
  static const uint16_t hybrid = HYBRID;
  pair p;
  script s;
  hello h;
  pair_make(&p, NULL);
  assert_ok(tn_config_set_groups(p.client_config, &hybrid, 1));
  script_open(&s, &p, TN_SERVER);
  hello_server(&s, &h);
  assert_int_equal(s.group->id, HYBRID);  // there is no other share
  ext_set(&h.ext, 51, "001d 0020 0900000000000000000000000000000000000000000000000000000000000000");
  script_hello(&s, &h);
  script_expect(&s, "the curve of a hybrid", TN_ALERT_ILLEGAL_PARAMETER);
  script_close(&s);
  pair_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_hello_has_both),
      cmocka_unit_test(either_is_answered),
      cmocka_unit_test(a_curve_that_was_not_offered),
  };
  return cmocka_run_group_tests(tests, fixture_make, fixture_free);
}
