// Nothing follows a close_notify, whenever it was sent; and nothing that waits to be sent is lost with a refusal.
#include "base/bytes.h"
#include "tls/support/pair.h"

// The next record that `from` has for `to`. False if there is none.
static bool step(tn_conn *from, tn_conn *to, tn_writer *wire, size_t *at) {
  drain(from, wire);
  if (*at == wire->len) return false;
  size_t n = 5 + ((size_t)wire->buf[*at + 3] << 8 | wire->buf[*at + 4]);
  assert_ok(feed(to, (tn_span){wire->buf + *at, n}, NULL));
  *at += n;
  return true;
}

// Either side closes after each record of a handshake, and then hears the rest of what the other had to say.
static void a_handshake_that_was_closed_does_not_go_on(void **state) {
  (void)state;
  static const uint16_t client_groups[] = {29, 23}, server_groups[] = {23};
  for (int variant = 0; variant < 4; variant++)
    for (unsigned records = 0, more = true; more; records++) {
      pair p;
      pair_make(&p, NULL);
      if (variant & 2) {  // with a retry
        assert_ok(tn_config_set_groups(p.client_config, client_groups, 2));
        assert_ok(tn_config_set_groups(p.server_config, server_groups, 1));
      }
      pair_connect(&p);
      tn_conn *closer = variant & 1 ? p.client : p.server, *other = variant & 1 ? p.server : p.client;
      tn_writer up = tn_writer_growing(NULL, 1 << 16), down = tn_writer_growing(NULL, 1 << 16);
      size_t up_at = 0, down_at = 0;
      for (unsigned i = 0; i < records && more; i++)
        more = step(p.client, p.server, &up, &up_at) || step(p.server, p.client, &down, &down_at);
      tn_conn_close(closer);
      tn_writer *out = variant & 1 ? &up : &down;
      drain(closer, out);
      size_t last = out->len;

      tn_writer wire = tn_writer_growing(NULL, 1 << 16);
      size_t heard = variant & 1 ? down_at : up_at;
      tn_writer *in = variant & 1 ? &down : &up;
      drain(other, in);
      assert_ok(feed(closer, (tn_span){in->buf + heard, in->len - heard}, NULL));
      drain(closer, &wire);
      assert_int_equal(wire.len, 0);

      // The other side hears of it in order, as the end of the data or of the handshake.
      size_t said = variant & 1 ? up_at : down_at;
      tn_result r = feed(other, (tn_span){out->buf + said, last - said}, NULL);
      assert_true(tn_conn_status(other) & TN_CONN_PEER_CLOSED);
      if (!tn_ok(r)) assert_int_equal(r.reason, TN_E_PEER_ALERT);
      if (!tn_ok(r)) assert_int_equal(r.alert, TN_ALERT_CLOSE_NOTIFY);
      tn_writer_free(&wire);
      tn_writer_free(&up);
      tn_writer_free(&down);
      pair_free(&p);
    }
}

// Data that is refused takes nothing along of what the engine itself has to say.
static void a_refusal_keeps_what_is_pending(void **state) {
  (void)state;
  static const uint8_t nonsense[] = {23, 3, 3, 0, 1, 0};
  const tn_span data = {(const uint8_t *)"data", 4};
  for (int fails = 0; fails < 2; fails++) {
    pair p;
    pair_make(&p, NULL);
    pair_connect(&p);
    pair_handshake(&p);
    if (fails)
      assert_fails(feed(p.client, (tn_span){nonsense, sizeof nonsense}, NULL), BAD_RECORD_MAC);
    else
      tn_conn_close(p.client);
    uint8_t out[100];
    size_t taken = 1, written = 1;
    tn_result r = tn_conn_send(p.client, &data, 1, (tn_mspan){out, sizeof out}, &taken, &written);
    assert_int_equal(r.reason, fails ? TN_E_BAD_RECORD_MAC : TN_E_BAD_STATE);
    assert_int_equal(taken, 0);
    assert_int_equal(written, 0);
    assert_true(tn_conn_status(p.client) & TN_CONN_PENDING);
    tn_writer wire = tn_writer_growing(NULL, 1000);
    drain(p.client, &wire);
    r = feed(p.server, tn_writer_span(&wire), NULL);
    if (fails)
      assert_int_equal(r.alert, TN_ALERT_BAD_RECORD_MAC);
    else
      assert_true(tn_conn_status(p.server) & TN_CONN_PEER_CLOSED);
    tn_writer_free(&wire);
    pair_free(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_handshake_that_was_closed_does_not_go_on),
      cmocka_unit_test(a_refusal_keeps_what_is_pending),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
