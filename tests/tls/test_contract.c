// What include/tenon/tls.h promises at the edges of its calls.
#include "base/bytes.h"
#include "tls/support/pair.h"

static void a_role_is_one_of_two(void **state) {
  (void)state;
  tn_config *config;
  assert_fails(tn_config_new((tn_role)2, NULL, &config), BAD_ARGUMENT);
  assert_null(config);
}

// As long as nothing is used, `need` is more than there is: no caller waits for what it has.
static void progress_needs_more_than_there_is(void **state) {
  (void)state;
  pair p;
  pair_make(&p, NULL);
  pair_connect(&p);
  pair_handshake(&p);
  for (int closed = 0; closed < 2; closed++) {
    uint8_t in[5] = {23, 3, 3, 1, 0};
    for (size_t n = 0; n <= sizeof in; n++) {
      tn_received got;
      assert_ok(tn_conn_receive(p.client, (tn_mspan){in, n}, (tn_mspan){0}, &got));
      assert_int_equal(got.used, closed ? n : 0);
      if (got.used == 0) assert_true(got.need > n);
    }
    tn_conn_close(p.server);
    if (!closed) assert_ok(pair_run(&p));
  }
  pair_free(&p);
}

// Data in any number of spans, empty ones among them, into any room, into memory of the caller's or in place.
static void data_in_many_pieces(void **state) {
  (void)state;
  enum { SPANS = 500 };
  static uint8_t data[SPANS * 3], wire[1 << 16];
  test_rng rng = {1};
  test_rng_bytes(&rng, data, sizeof data);
  for (size_t room = 23; room < 2000; room += 97) {
    pair p;
    pair_make(&p, NULL);
    pair_connect(&p);
    pair_handshake(&p);
    tn_span spans[SPANS];
    size_t total = 0, sent = 0, filled = 0;
    for (size_t i = 0; i < SPANS; i++) {
      spans[i] = (tn_span){data + total, test_rng_next(&rng) % 4};
      total += spans[i].n;
    }
    while (sent < total) {
      // What is left, as the caller has to cut it.
      tn_span left[SPANS];
      size_t skip = sent, n = 0;
      for (size_t i = 0; i < SPANS; i++) {
        size_t cut = skip < spans[i].n ? skip : spans[i].n;
        skip -= cut;
        left[n++] = (tn_span){spans[i].p + cut, spans[i].n - cut};
      }
      size_t taken, written;
      assert_ok(tn_conn_send(p.client, left, n, (tn_mspan){wire + filled, room}, &taken, &written));
      assert_true(taken != 0 && written <= room);
      sent += taken, filled += written;
      assert_true(filled + room <= sizeof wire);
    }
    assert_int_equal(sent, total);
    uint8_t got[sizeof data], out[64];
    size_t received = 0;
    for (size_t at = 0; at < filled;) {
      tn_received r;
      bool elsewhere = room % 2;
      assert_ok(tn_conn_receive(p.server, (tn_mspan){wire + at, filled - at},
                                elsewhere ? (tn_mspan){out, sizeof out} : (tn_mspan){0}, &r));
      assert_true(r.used != 0);
      size_t length = r.used - TN_RECORD_OVERHEAD;
      assert_int_equal(r.data.n, length);
      // Room for the record less its header and tag is enough.
      assert_true((r.data.p == out) == (elsewhere && length + 1 <= sizeof out));
      memcpy(got + received, r.data.p, r.data.n);
      received += r.data.n;
      at += r.used;
    }
    assert_int_equal(received, total);
    assert_memory_equal(got, data, total);
    pair_free(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_role_is_one_of_two),
      cmocka_unit_test(progress_needs_more_than_there_is),
      cmocka_unit_test(data_in_many_pieces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
