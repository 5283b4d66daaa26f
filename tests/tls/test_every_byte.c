// Recorded connections, delivered again: a byte at a time, cut off at every byte, with every byte changed. The right
// answer or the right alert comes of it, nothing else.
#include "base/bytes.h"
#include "tls/support/script.h"

#define ROOM (1u << 20)

// ---------------------------------------------------------------- recording

typedef struct {
  pair p;
  test_rng client_rng, server_rng;
  tn_writer to[2];  // what each side received, by tn_role
} recording;

static void start(recording *r) {
  r->client_rng = (test_rng){1};
  r->server_rng = (test_rng){2};
}

static void make(recording *r, const tn_suite *suite, bool retry) {
  static const uint16_t x25519_first[] = {29, 23}, p256 = 23;
  static const tn_span protocol = {(const uint8_t *)"h2", 2};
  pair_make(&r->p, NULL);
  assert_ok(tn_config_set_suites(r->p.client_config, &suite->id, 1));
  assert_ok(tn_config_set_groups(r->p.client_config, x25519_first, 2));
  if (retry) assert_ok(tn_config_set_groups(r->p.server_config, &p256, 1));
  assert_ok(tn_config_set_alpn(r->p.client_config, &protocol, 1));
  assert_ok(tn_config_set_alpn(r->p.server_config, &protocol, 1));
  assert_ok(tn_config_set_rng(r->p.client_config, test_rng_as_rng(&r->client_rng)));
  assert_ok(tn_config_set_rng(r->p.server_config, test_rng_as_rng(&r->server_rng)));
  for (int i = 0; i < 2; i++) r->to[i] = tn_writer_growing(NULL, ROOM);
}

static void unmake(recording *r) {
  for (int i = 0; i < 2; i++) tn_writer_free(&r->to[i]);
  r->p.client = r->p.server = NULL;
  pair_free(&r->p);
}

// Everything that either side has to say, written down.
static void talk(recording *r) {
  tn_conn *const sides[] = {r->p.client, r->p.server};
  size_t before;
  do {
    before = r->to[0].len + r->to[1].len;
    for (int from = 0; from < 2; from++) {
      size_t at = r->to[!from].len;
      drain(sides[from], &r->to[!from]);
      assert_ok(feed(sides[!from], tn_span_of(r->to[!from].buf + at, r->to[!from].len - at), NULL));
    }
  } while (r->to[0].len + r->to[1].len != before);
}

static void say(recording *r, tn_role from, const char *text) {
  tn_conn *conn = from == TN_CLIENT ? r->p.client : r->p.server, *peer = from == TN_CLIENT ? r->p.server : r->p.client;
  const tn_span data = tn_span_of(text, strlen(text));
  uint8_t out[1000];
  size_t taken, written;
  talk(r);
  assert_ok(tn_conn_send(conn, &data, 1, (tn_mspan){out, sizeof out}, &taken, &written));
  assert_int_equal(taken, data.n);
  tn_write_bytes(&r->to[!from], out, written);
  assert_ok(feed(peer, tn_span_of(out, written), NULL));
}

static void record(recording *r) {
  static const uint8_t ticket[] = {4, 0, 0, 14, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0x74, 0, 0};
  start(r);
  pair_connect(&r->p);
  talk(r);
  assert_true(tn_conn_status(r->p.client) & tn_conn_status(r->p.server) & TN_CONN_OPEN);
  assert_ok(tn_conn_queue_record(r->p.server, TN_CONTENT_HANDSHAKE, tn_span_of(ticket, sizeof ticket)));
  assert_ok(tn_conn_update_keys(r->p.server, true));
  say(r, TN_SERVER, "a server's words under its second keys");
  assert_ok(tn_conn_update_keys(r->p.client, true));
  say(r, TN_CLIENT, "a client's words under its third");
  say(r, TN_SERVER, "and an answer");
  tn_conn_close(r->p.server);
  tn_conn_close(r->p.client);
  talk(r);
  tn_conn_free(r->p.client);
  tn_conn_free(r->p.server);
}

// ---------------------------------------------------------------- playing

typedef struct {
  tn_conn *conn;
  tn_protection write;  // before the last call
  tn_writer out, data;
  size_t out_before;  // what had been sent before the last call
  bool elsewhere;     // application data goes to memory of its own
  tn_result result, eof;
} player;

static void player_open(player *l, recording *r, tn_role role, bool elsewhere) {
  *l = (player){.elsewhere = elsewhere, .result = tn_success()};
  l->out = tn_writer_growing(NULL, ROOM);
  l->data = tn_writer_growing(NULL, ROOM);
  start(r);
  const tn_span name = {(const uint8_t *)PAIR_NAME, strlen(PAIR_NAME)}, none = {NULL, 0};
  assert_ok(tn_conn_new(role == TN_CLIENT ? r->p.client_config : r->p.server_config, role == TN_CLIENT ? name : none,
                        &l->conn));
  drain(l->conn, &l->out);
}

static void player_close(player *l) {
  tn_conn_free(l->conn);
  tn_writer_free(&l->out);
  tn_writer_free(&l->data);
}

// One call with exactly these bytes, in memory that ends where they do.
static tn_received call(player *l, tn_span in) {
  uint8_t *copy = malloc(in.n == 0 ? 1 : in.n), *to = l->elsewhere ? malloc(TN_RECORD_MAX) : NULL;
  if (in.n != 0) memcpy(copy, in.p, in.n);
  tn_received got;
  l->write = l->conn->write;
  l->out_before = l->out.len;
  l->result = tn_conn_receive(l->conn, (tn_mspan){copy, in.n}, (tn_mspan){to, TN_RECORD_MAX}, &got);
  if (!tn_ok(l->result)) assert_int_equal(got.data.n, 0);
  bool in_to = got.data.n != 0 && l->elsewhere;
  if (in_to) assert_ptr_equal(got.data.p, to);
  tn_write_bytes(&l->data, got.data.p, got.data.n);
  drain(l->conn, &l->out);
  free(copy);
  free(to);
  return got;
}

// Whole records while there are any; then the end of the transport.
static void play(player *l, tn_span in) {
  while (tn_ok(l->result)) {
    tn_received got = call(l, in);
    if (got.used == 0) break;
    in = (tn_span){in.p + got.used, in.n - got.used};
  }
  l->eof = tn_conn_receive_eof(l->conn);
}

static void assert_same(const player *l, const player *wanted) {
  assert_ok(l->result);
  assert_ok(l->eof);
  assert_int_equal(tn_conn_status(l->conn), tn_conn_status(wanted->conn));
  assert_int_equal(l->out.len, wanted->out.len);
  assert_memory_equal(l->out.buf, wanted->out.buf, l->out.len);
  assert_int_equal(l->data.len, wanted->data.len);
  assert_memory_equal(l->data.buf, wanted->data.buf, l->data.len);
}

// The last call failed, and sent one alert and nothing more. Its description.
static unsigned the_one_alert(const player *l) {
  size_t n = l->out.len - l->out_before;
  uint8_t record[100], type = 0;
  size_t length = 0;
  if (n < TN_RECORD_HEADER || n > sizeof record) fail_msg("%zu bytes answer the failure", n);
  memcpy(record, l->out.buf + l->out_before, n);
  assert_int_equal(TN_RECORD_HEADER + (record[3] << 8 | record[4]), n);
  uint8_t *body = record + TN_RECORD_HEADER;
  if (record[0] == TN_CONTENT_ALERT) {
    assert_null(l->write.suite);
    type = record[0], length = n - TN_RECORD_HEADER;
  } else {
    tn_protection read = l->write;
    assert_ok(tn_record_open(&read, record, n, body, &type, &length));
  }
  assert_int_equal(type, TN_CONTENT_ALERT);
  assert_int_equal(length, 2);
  assert_int_equal(body[0], 2);
  assert_int_equal(body[1], l->result.alert);
  return body[1];
}

static void assert_stays_failed(player *l) {
  tn_result why = l->result;
  size_t sent = l->out.len;
  uint8_t more[] = {22, 3, 3, 0, 1, 1};
  for (int i = 0; i < 2; i++) {
    tn_received got = call(l, tn_span_of(more, sizeof more));
    assert_int_equal(l->result.reason, why.reason);
    assert_int_equal(got.used, 0);
    assert_int_equal(tn_conn_receive_eof(l->conn).reason, why.reason);
    assert_int_equal(tn_conn_error(l->conn).reason, why.reason);
  }
  assert_int_equal(l->out.len, sent);
}

// ---------------------------------------------------------------- every recording

typedef void (*check)(recording *r, tn_role role, tn_span in, const player *honest);

static void with_every_recording(check then) {
  for (size_t suite = 0; suite < TN_SUITE_COUNT; suite++)
    for (int retry = 0; retry < 2; retry++) {
      recording r;
      make(&r, &tn_suites[suite], retry);
      record(&r);
      for (tn_role role = TN_CLIENT; role <= TN_SERVER; role++) {
        player honest;
        player_open(&honest, &r, role, false);
        play(&honest, tn_writer_span(&r.to[role]));
        assert_ok(honest.result);
        assert_ok(honest.eof);
        assert_true(honest.data.len != 0);
        then(&r, role, tn_writer_span(&r.to[role]), &honest);
        player_close(&honest);
      }
      unmake(&r);
    }
}

// The buffer grows by one byte a call, and starts anew after each record.
static void slowly(recording *r, tn_role role, tn_span in, const player *honest) {
  for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
    player l;
    player_open(&l, r, role, elsewhere);
    size_t start_of_record = 0;
    for (size_t end = 1; end <= in.n; end++) {
      tn_received got = call(&l, (tn_span){in.p + start_of_record, end - start_of_record});
      assert_ok(l.result);
      if (got.used == 0) {
        assert_true(got.need > end - start_of_record);
        assert_true(got.need <= in.n - start_of_record);
        assert_int_equal(l.out.len, l.out_before);
      }
      start_of_record += got.used;
    }
    assert_int_equal(start_of_record, in.n);
    l.eof = tn_conn_receive_eof(l.conn);
    assert_same(&l, honest);
    player_close(&l);
  }
}

static void one_byte_at_a_time(void **state) {
  (void)state;
  with_every_recording(slowly);
}

static void cut_off(recording *r, tn_role role, tn_span in, const player *honest) {
  for (size_t n = 0; n < in.n; n += STRIDE(11)) {
    player l;
    player_open(&l, r, role, n % 2);
    play(&l, (tn_span){in.p, n});
    assert_ok(l.result);
    assert_int_equal(l.eof.reason, TN_E_TRUNCATED);
    assert_true(l.out.len <= honest->out.len);
    assert_memory_equal(l.out.buf, honest->out.buf, l.out.len);
    size_t sent = l.out.len;
    drain(l.conn, &l.out);
    assert_int_equal(l.out.len, sent);  // nobody is there to hear an alert
    l.result = l.eof;
    assert_stays_failed(&l);
    player_close(&l);
  }
}

static void cut_off_at_every_byte(void **state) {
  (void)state;
  with_every_recording(cut_off);
}

// ---------------------------------------------------------------- every byte changed

#define ALERT(name) (UINT64_C(1) << set_bit(TN_ALERT_##name))
#define TRUNCATION (UINT64_C(1) << 63)  // the engine waits for more, and the transport ends
#define SUCCESS (UINT64_C(1) << 62)     // as if nothing had happened

static unsigned set_bit(unsigned alert) {
  static const uint8_t known[] = {
      TN_ALERT_UNEXPECTED_MESSAGE,      TN_ALERT_BAD_RECORD_MAC,    TN_ALERT_RECORD_OVERFLOW,
      TN_ALERT_HANDSHAKE_FAILURE,       TN_ALERT_ILLEGAL_PARAMETER, TN_ALERT_DECODE_ERROR,
      TN_ALERT_PROTOCOL_VERSION,        TN_ALERT_MISSING_EXTENSION, TN_ALERT_UNSUPPORTED_EXTENSION,
      TN_ALERT_NO_APPLICATION_PROTOCOL,
  };
  unsigned i = 0;
  while (i < sizeof known && known[i] != alert) i++;
  return i;  // past the end: an alert that is never right
}

// What may become of a change at this place of a record, and nothing else.
static uint64_t expected(const uint8_t *record, size_t at) {
  uint8_t type = record[0];
  bool is_protected = type == TN_CONTENT_APPLICATION_DATA;
  switch (at) {
    case 0:  // a change_cipher_spec becomes an alert of one byte
      return ALERT(UNEXPECTED_MESSAGE) | (type == TN_CONTENT_CHANGE_CIPHER_SPEC ? ALERT(DECODE_ERROR) : 0);
    case 1:
      return ALERT(PROTOCOL_VERSION);
    case 2:  // legacy_record_version is ignored, but authenticated
      return is_protected ? ALERT(BAD_RECORD_MAC) : SUCCESS;
    case 3:
    case 4:
      if (is_protected) return ALERT(BAD_RECORD_MAC) | ALERT(RECORD_OVERFLOW) | TRUNCATION;
      if (type == TN_CONTENT_CHANGE_CIPHER_SPEC) return ALERT(UNEXPECTED_MESSAGE) | ALERT(RECORD_OVERFLOW) | TRUNCATION;
      // The rest of a shorter record is taken for a header.
      return ALERT(UNEXPECTED_MESSAGE) | ALERT(PROTOCOL_VERSION) | ALERT(RECORD_OVERFLOW) | TRUNCATION;
    default:
      break;
  }
  if (is_protected) return ALERT(BAD_RECORD_MAC);
  if (type == TN_CONTENT_CHANGE_CIPHER_SPEC || at == 5) return ALERT(UNEXPECTED_MESSAGE);
  if (at <= 8) return ALERT(UNEXPECTED_MESSAGE) | ALERT(DECODE_ERROR);
  // The body of a hello. What it says is refused, or else the transcripts differ and the next record does not open.
  return ALERT(DECODE_ERROR) | ALERT(ILLEGAL_PARAMETER) | ALERT(HANDSHAKE_FAILURE) | ALERT(PROTOCOL_VERSION) |
         ALERT(MISSING_EXTENSION) | ALERT(UNSUPPORTED_EXTENSION) | ALERT(NO_APPLICATION_PROTOCOL) |
         ALERT(UNEXPECTED_MESSAGE) | ALERT(BAD_RECORD_MAC);
}

static void change_one(recording *r, tn_role role, tn_span in, size_t record_at, size_t at, uint8_t by,
                       const player *honest) {
  uint8_t *changed = malloc(in.n);
  memcpy(changed, in.p, in.n);
  changed[at] ^= by;
  player l;
  player_open(&l, r, role, (at + by) % 2);
  play(&l, (tn_span){changed, in.n});
  uint64_t allowed = expected(in.p + record_at, at - record_at), got;
  if (tn_ok(l.result) && tn_ok(l.eof)) {
    got = SUCCESS;
    assert_same(&l, honest);
  } else if (tn_ok(l.result)) {
    got = TRUNCATION;
    assert_int_equal(l.eof.reason, TN_E_TRUNCATED);
  } else {
    got = UINT64_C(1) << set_bit(the_one_alert(&l));
    assert_stays_failed(&l);
  }
  if (!(allowed & got))
    fail_msg("%s, byte %zu of the record (type %u) at %zu, xor %02x: %s (%s)", role == TN_CLIENT ? "client" : "server",
             at - record_at, in.p[record_at], record_at, by, tn_reason_name(l.result.reason),
             tn_alert_name(l.result.alert));
  // What was delivered was said, at least.
  assert_true(l.data.len <= honest->data.len);
  if (l.data.len != 0) assert_memory_equal(l.data.buf, honest->data.buf, l.data.len);
  player_close(&l);
  free(changed);
}

static void change_all(recording *r, tn_role role, tn_span in, const player *honest) {
  static const uint8_t by[] = {0x01, 0x80, 0xff};
  for (size_t record_at = 0, n; record_at < in.n; record_at += n) {
    n = TN_RECORD_HEADER + (size_t)(in.p[record_at + 3] << 8 | in.p[record_at + 4]);
    for (size_t at = record_at; at < record_at + n; at++)
      for (size_t i = 0; i < COUNT(by); i++)
        if ((at + 5 * i) % STRIDE(23) == 0 || at < record_at + TN_RECORD_HEADER / STRIDE(5))
          change_one(r, role, in, record_at, at, by[i], honest);
  }
}

static void every_byte_changed(void **state) {
  (void)state;
  with_every_recording(change_all);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_byte_at_a_time),
      cmocka_unit_test(cut_off_at_every_byte),
      cmocka_unit_test(every_byte_changed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
