// Memory and randomness that fail, at every call in turn; and what an idle connection holds.
#include "tls/support/pair.h"

// ---------------------------------------------------------------- an allocator and a generator that fail once

typedef struct {
  tn_allocator allocator;
  size_t calls, fail_at;  // from 1; 0: never
  size_t blocks, bytes;   // alive
} counting;

static void *allocate(void *ctx, size_t n) {
  counting *c = ctx;
  if (++c->calls == c->fail_at) return NULL;
  c->blocks++;
  c->bytes += n;
  void *p = malloc(n);
  if (p != NULL) memset(p, 0xdb, n);  // nobody may rely on zeros
  return p;
}

static void release(void *ctx, void *p, size_t n) {
  counting *c = ctx;
  if (p == NULL) return;
  c->blocks--;
  c->bytes -= n;
  free(p);
}

static void counting_init(counting *c, size_t fail_at) {
  *c = (counting){.allocator = {allocate, release, c}, .fail_at = fail_at};
}

typedef struct {
  test_rng rng;
  size_t calls, fail_at;
} failing_rng;

static tn_result fill(void *ctx, uint8_t *out, size_t n) {
  failing_rng *r = ctx;
  if (++r->calls == r->fail_at) return tn_fail(TN_E_NO_RANDOM);
  test_rng_bytes(&r->rng, out, n);
  return tn_success();
}

// ---------------------------------------------------------------- one whole connection

static pki_set pki;

static int make_pki(void **state) {
  (void)state;
  pki_set_make(&pki, NULL);
  return 0;
}

static int free_pki(void **state) {
  (void)state;
  pki_set_free(&pki);
  return 0;
}

static int64_t fixed_clock(void *ctx) {
  (void)ctx;
  return PAIR_NOW;
}

typedef struct {
  tn_config *client_config, *server_config;
  tn_conn *client, *server;
} connection;

static tn_result configure(connection *k, const tn_allocator *a, tn_rng rng, bool retry) {
  static const tn_span protocol = {(const uint8_t *)"h2", 2};
  static const uint16_t p256 = 23;
  TN_TRY(tn_config_new(TN_CLIENT, a, &k->client_config));
  TN_TRY(tn_config_set_trust(k->client_config, pki.trust));
  TN_TRY(tn_config_set_alpn(k->client_config, &protocol, 1));
  TN_TRY(tn_config_set_clock(k->client_config, fixed_clock, NULL));
  TN_TRY(tn_config_set_rng(k->client_config, rng));
  TN_TRY(tn_config_new(TN_SERVER, a, &k->server_config));
  TN_TRY(tn_config_add_identity(k->server_config, pki.identity));
  TN_TRY(tn_config_set_alpn(k->server_config, &protocol, 1));
  TN_TRY(tn_config_set_rng(k->server_config, rng));
  if (retry) TN_TRY(tn_config_set_groups(k->server_config, &p256, 1));
  TN_TRY(tn_conn_new(k->client_config, tn_span_of(PAIR_NAME, strlen(PAIR_NAME)), &k->client));
  return tn_conn_new(k->server_config, (tn_span){NULL, 0}, &k->server);
}

// Both sides until neither has anything to say; the first failure that is not the other's alert.
static tn_result talk(connection *k) {
  tn_conn *const sides[] = {k->client, k->server};
  tn_result first = tn_success();
  for (bool quiet = false; !quiet;) {
    quiet = true;
    for (int from = 0; from < 2; from++) {
      tn_writer wire = tn_writer_growing(NULL, 1 << 20);
      drain(sides[from], &wire);
      quiet &= wire.len == 0;
      tn_result r = feed(sides[!from], tn_writer_span(&wire), NULL);
      if (tn_ok(first) && !tn_ok(r) && r.reason != TN_E_PEER_ALERT) first = r;
      tn_writer_free(&wire);
    }
  }
  return first;
}

static tn_result converse(connection *k) {
  tn_conn *const sides[] = {k->client, k->server};
  TN_TRY(talk(k));
  for (int from = 0; from < 2; from++) {
    uint8_t text[20000], out[30000];
    memset(text, 'x', sizeof text);
    const tn_span data = {text, sizeof text};
    size_t taken, written;
    TN_TRY(tn_conn_update_keys(sides[from], true));
    TN_TRY(talk(k));
    TN_TRY(tn_conn_send(sides[from], &data, 1, (tn_mspan){out, sizeof out}, &taken, &written));
    assert_int_equal(taken, sizeof text);
    tn_writer got = tn_writer_growing(NULL, 1 << 20);
    tn_result r = feed(sides[!from], tn_span_of(out, written), &got);
    if (tn_ok(r)) assert_int_equal(got.len, sizeof text);
    tn_writer_free(&got);
    TN_TRY(r);
    TN_TRY(talk(k));
  }
  tn_conn_close(k->client);
  tn_conn_close(k->server);
  return talk(k);
}

static void finish(connection *k) {
  tn_conn_free(k->client);
  tn_conn_free(k->server);
  tn_config_unref(k->client_config);
  tn_config_unref(k->server_config);
}

// Of two sides of which one failed for a lack of its own: the other heard internal_error, or nothing.
static void assert_failed_cleanly(connection *k, tn_reason why) {
  tn_conn *const sides[] = {k->client, k->server};
  for (int i = 0; i < 2; i++) {
    if (sides[i] == NULL) continue;
    tn_result error = tn_conn_error(sides[i]);
    if (tn_ok(error)) continue;
    if (error.reason == TN_E_PEER_ALERT)
      assert_int_equal(error.alert, TN_ALERT_INTERNAL_ERROR);
    else if (error.reason != why)
      fail_msg("the lack became %s", tn_reason_name(error.reason));
    tn_conn_info info;  // may be asked of a failed connection too
    char text[200];
    tn_conn_get_info(sides[i], &info);
    assert_true(info.n_peer_chain <= 1 && tn_conn_peer_cert(sides[i], 1).n == 0);
    tn_conn_error_text(sides[i], text, sizeof text);
    assert_true(strlen(text) > 10);
    uint8_t more[] = {22, 3, 3, 0, 1, 1};
    tn_received got;
    assert_int_equal(tn_conn_receive(sides[i], (tn_mspan){more, 6}, (tn_mspan){NULL, 0}, &got).reason, error.reason);
  }
}

static void every_allocation_fails_once(void **state) {
  (void)state;
  for (int retry = 0; retry < 2; retry++)
    for (size_t n = 1;; n++) {
      counting memory;
      counting_init(&memory, n);
      test_rng rng = {7};
      connection k = {0};
      tn_result r = configure(&k, &memory.allocator, test_rng_as_rng(&rng), retry);
      if (tn_ok(r)) r = converse(&k);
      bool failed = memory.calls >= n;
      if (tn_ok(r) && failed) {
        // A close_notify or words for the log that found no room: nothing else may go on without its memory.
        assert_true(tn_conn_status(k.client) & tn_conn_status(k.server) & TN_CONN_CLOSED);
      } else if (!tn_ok(r)) {
        assert_true(failed);
        if (r.reason != TN_E_NO_MEMORY) fail_msg("allocation %zu: %s", n, tn_reason_name(r.reason));
        assert_failed_cleanly(&k, TN_E_NO_MEMORY);
      }
      finish(&k);
      assert_int_equal(memory.blocks, 0);
      assert_int_equal(memory.bytes, 0);
      if (!failed) {
        print_message("%zu allocations in a connection%s\n", n - 1, retry ? " with a retry" : "");
        break;
      }
    }
}

static void every_random_draw_fails_once(void **state) {
  (void)state;
  for (int retry = 0; retry < 2; retry++)
    for (size_t n = 1;; n++) {
      counting memory;
      counting_init(&memory, 0);
      failing_rng rng = {.rng = {7}, .fail_at = n};
      connection k = {0};
      tn_result r = configure(&k, &memory.allocator, (tn_rng){fill, &rng}, retry);
      if (tn_ok(r)) r = converse(&k);
      bool failed = rng.calls >= n;
      if (failed) {
        if (r.reason != TN_E_NO_RANDOM) fail_msg("draw %zu: %s", n, tn_reason_name(r.reason));
        assert_failed_cleanly(&k, TN_E_NO_RANDOM);
      } else {
        assert_ok(r);
      }
      finish(&k);
      assert_int_equal(memory.blocks, 0);
      if (!failed) {
        assert_in_range(n - 1, 5, 20);
        break;
      }
    }
}

// ---------------------------------------------------------------- what an idle connection holds

static void an_idle_connection_holds_no_buffers(void **state) {
  (void)state;
  counting memory;
  counting_init(&memory, 0);
  connection k = {0};
  test_rng rng = {7};
  assert_ok(configure(&k, &memory.allocator, test_rng_as_rng(&rng), false));
  tn_conn_free(k.client);
  tn_conn_free(k.server);
  size_t blocks = memory.blocks, total = memory.bytes;  // of the configurations
  assert_ok(tn_conn_new(k.client_config, tn_span_of(PAIR_NAME, strlen(PAIR_NAME)), &k.client));
  assert_ok(tn_conn_new(k.server_config, (tn_span){NULL, 0}, &k.server));
  assert_ok(talk(&k));
  size_t chain = 3 + tn_conn_peer_cert(k.client, 0).n, names = 2 * strlen(PAIR_NAME);
  assert_int_equal(memory.blocks - blocks, 5);
  assert_int_equal(memory.bytes - total, 2 * sizeof(tn_conn) + names + chain);
  assert_null(k.client->hs);
  assert_null(k.server->hs);
  print_message("an idle connection holds %zu bytes and its names; its handshake held %zu more\n", sizeof(tn_conn),
                sizeof(tn_handshake));

  // Nor after data, renewed keys, and half a record.
  assert_ok(tn_conn_update_keys(k.client, true));
  assert_ok(talk(&k));
  uint8_t header[] = {23, 3, 3, 64, 0, 1, 2, 3};
  tn_received got;
  assert_ok(tn_conn_receive(k.client, (tn_mspan){header, sizeof header}, (tn_mspan){NULL, 0}, &got));
  assert_int_equal(got.need, 5 + 16384);
  assert_int_equal(memory.blocks - blocks, 5);
  assert_int_equal(memory.bytes - total, 2 * sizeof(tn_conn) + names + chain);
  finish(&k);
  assert_int_equal(memory.blocks, 0);
}

// Whoever failed has said so and keeps neither secrets nor buffers.
static void a_failed_connection_holds_nothing_more(void **state) {
  (void)state;
  for (int half_a_message = 0; half_a_message < 2; half_a_message++) {
    counting memory;
    counting_init(&memory, 0);
    connection k = {0};
    test_rng rng = {7};
    assert_ok(configure(&k, &memory.allocator, test_rng_as_rng(&rng), false));
    tn_conn_free(k.client);
    k.client = NULL;
    tn_conn_free(k.server);
    size_t before = memory.bytes;
    assert_ok(tn_conn_new(k.server_config, (tn_span){NULL, 0}, &k.server));
    static const uint8_t start[] = {22, 3, 3, 0, 2, 1, 0}, wrong[] = {22, 3, 3, 0, 1, 99}, closing[] = {21, 3, 3, 0, 0};
    tn_result r = tn_success();
    if (half_a_message) r = feed(k.server, tn_span_of(start, sizeof start), NULL);
    assert_ok(r);
    r = half_a_message ? feed(k.server, tn_span_of(closing, sizeof closing), NULL)
                       : feed(k.server, tn_span_of(wrong, sizeof wrong), NULL);
    assert_false(tn_ok(r));
    tn_writer alert = tn_writer_growing(NULL, 1000);
    drain(k.server, &alert);
    assert_int_equal(alert.len, 7);
    tn_writer_free(&alert);
    assert_int_equal(memory.bytes - before, sizeof(tn_conn));
    finish(&k);
    assert_int_equal(memory.blocks, 0);
  }
}

// Nobody has to be given more than the limits say: what one peer can make us hold.
static void a_peer_cannot_make_us_hold_more_than_a_message(void **state) {
  (void)state;
  counting memory;
  counting_init(&memory, 0);
  connection k = {0};
  test_rng rng = {7};
  assert_ok(configure(&k, &memory.allocator, test_rng_as_rng(&rng), false));
  size_t before = memory.bytes;
  uint8_t record[5 + 1000] = {22, 3, 1, 1000 >> 8, 1000 & 255, 1, 0, 0xff, 0xff};
  tn_received got;
  for (int i = 0; i < 65; i++) {  // all but the end of a hello of 65,535 bytes
    tn_result r = tn_conn_receive(k.server, (tn_mspan){record, sizeof record}, (tn_mspan){NULL, 0}, &got);
    assert_ok(r);
    memset(record + 5, 0, 1000);
  }
  assert_true(memory.bytes - before <= 2 * TN_MAX_HELLO);
  finish(&k);
  assert_int_equal(memory.blocks, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_allocation_fails_once),
      cmocka_unit_test(every_random_draw_fails_once),
      cmocka_unit_test(an_idle_connection_holds_no_buffers),
      cmocka_unit_test(a_failed_connection_holds_nothing_more),
      cmocka_unit_test(a_peer_cannot_make_us_hold_more_than_a_message),
  };
  return cmocka_run_group_tests(tests, make_pki, free_pki);
}
