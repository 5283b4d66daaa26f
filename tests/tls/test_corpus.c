// What others sent and fuzzers found, through tn_conn_receive(): never a crash, a hang or a second alert; and each real
// ClientHello gets the answer that its contents call for.
#include <dirent.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "tls/msg/msg.h"
#include "tls/support/script.h"

// ---------------------------------------------------------------- files

static bytes read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail_msg("%s cannot be opened", path);
  struct stat info;
  assert_int_equal(fstat(fileno(file), &info), 0);
  bytes b = {malloc((size_t)info.st_size + 1), (size_t)info.st_size};
  assert_int_equal(fread(b.p, 1, b.n, file), b.n);
  fclose(file);
  return b;
}

// Every file of a folder below ../shared/vectors whose name ends so. The number of files; skips where there is none.
static size_t for_each_file(const char *folder, const char *ending, void (*then)(const char *name, tn_span contents)) {
  char path[600];
  snprintf(path, sizeof path, "%s/%s", TN_VECTORS, folder);
  DIR *dir = opendir(path);
  if (dir == NULL) {
    print_message("skipped: %s is not here\n", path);
    skip();
  }
  size_t n = 0, skipped = 0;
  for (struct dirent *e; (e = readdir(dir)) != NULL;) {
    size_t length = strlen(e->d_name), end = strlen(ending);
    if (e->d_name[0] == '.' || length < end || strcmp(e->d_name + length - end, ending) != 0) continue;
    if (skipped++ % STRIDE(3) != 0) continue;
    snprintf(path, sizeof path, "%s/%s/%s", TN_VECTORS, folder, e->d_name);
    bytes b = read_file(path);
    then(e->d_name, bytes_span(b));
    bytes_free(&b);
    n++;
  }
  closedir(dir);
  assert_true(n != 0);
  return n;
}

// ---------------------------------------------------------------- corpora

// An engine takes the bytes to their end or to its failure, which it announces once.
static void replay(tn_role role, const char *name, tn_span contents) {
  script s;
  script_open(&s, &fixture, role == TN_CLIENT ? TN_SERVER : TN_CLIENT);
  tn_writer first = tn_writer_growing(NULL, 65536);
  drain(s.engine, &first);
  tn_writer_free(&first);
  script_wire(&s, contents);
  tn_result error = tn_conn_error(s.engine);
  assert_int_equal(s.result.reason, error.reason);
  if (tn_conn_status(s.engine) & TN_CONN_OPEN) fail_msg("%s opened a connection", name);
  // Of what is sent last, an alert is the last, and there is one if something was wrong.
  uint8_t type = 0, last = 0;
  tn_span content;
  bool silent = tn_ok(error) || error.reason == TN_E_PEER_ALERT;
  unsigned alerts = 0;
  drain(s.engine, &s.wire);
  while (s.wire_taken < s.wire.len) {
    bool has_keys = s.wire.buf[s.wire_taken] == TN_CONTENT_APPLICATION_DATA;  // which we do not have
    assert_true(script_next(&s, &type, &content));
    alerts += type == TN_CONTENT_ALERT;
    last = has_keys && content.n == 2 + 1 + 16 ? TN_CONTENT_ALERT : type;
  }
  assert_true(alerts <= 1);
  assert_int_equal(last == TN_CONTENT_ALERT, !silent);
  assert_int_equal(tn_conn_receive_eof(s.engine).reason, tn_ok(error) ? TN_E_TRUNCATED : error.reason);
  script_close(&s);
}

static void to_client(const char *name, tn_span contents) { replay(TN_CLIENT, name, contents); }
static void to_server(const char *name, tn_span contents) { replay(TN_SERVER, name, contents); }

static void to_both(const char *name, tn_span contents) {
  to_client(name, contents);
  to_server(name, contents);
}

static void what_fuzzers_found(void **state) {
  (void)state;
  static const struct {
    const char *folder;
    void (*then)(const char *, tn_span);
  } corpora[] = {
      {"fuzz/openssl/client", to_client},
      {"fuzz/openssl/server", to_server},
      {"fuzz/boringssl/client", to_client},
      {"fuzz/boringssl/server", to_server},
      {"fuzz/boringssl/client_no_fuzzer_mode", to_client},
      {"fuzz/boringssl/server_no_fuzzer_mode", to_server},
      {"fuzz/openssl/x509", to_both},
  };
  for (size_t i = 0; i < COUNT(corpora); i++) for_each_file(corpora[i].folder, "", corpora[i].then);
}

static void what_others_said(void **state) {
  (void)state;
  for_each_file("captures/zeek", ".c2s.bin", to_server);
  for_each_file("captures/zeek", ".s2c.bin", to_client);
  for_each_file("clienthello", ".bin", to_client);
}

// ---------------------------------------------------------------- real ClientHellos

typedef struct {
  bool v2_format, has_1_3, suite, group, share, scheme, has_groups, has_schemes, has_shares;
} summary;

static bool has_u16(tn_reader list, uint16_t wanted) {
  uint16_t id;
  while (tn_read_u16(&list, &id))
    if (id == wanted) return true;
  return false;
}

static void summarize_extension(summary *s, uint16_t id, tn_reader body) {
  tn_reader list;
  if (id == 43 && tn_read_block8(&body, &list)) s->has_1_3 = has_u16(list, 0x0304);
  if (id == 10 && tn_read_block16(&body, &list)) {
    s->has_groups = true;
    s->group = has_u16(list, 0x001d) || has_u16(list, 0x0017);
  }
  if (id == 13 && tn_read_block16(&body, &list)) {
    s->has_schemes = true;
    s->scheme = has_u16(list, 0x0403);
  }
  if (id == 51 && tn_read_block16(&body, &list)) {
    s->has_shares = true;
    uint16_t group;
    tn_reader share;
    while (tn_read_u16(&list, &group) && tn_read_block16(&list, &share)) s->share |= group == 0x001d || group == 0x0017;
  }
}

// The hello by a parser of this test's own.
static summary summarize(const char *name, tn_span wire) {
  summary s = {0};
  if (wire.p[0] & 0x80 || wire.p[0] < 0x10) {
    s.v2_format = true;
    return s;
  }
  tn_writer message = tn_writer_growing(NULL, 1 << 20);
  tn_reader r = tn_reader_of(wire), record;
  tn_span header;
  while (tn_read_span(&r, 3, &header) && tn_read_block16(&r, &record) && header.p[0] == 22)
    tn_write_bytes(&message, record.p, record.n);
  tn_reader m = tn_reader_of(tn_writer_span(&message)), body, session_id, suites = {0}, compression, block, ext;
  uint8_t type;
  tn_span fixed;
  bool whole = tn_read_u8(&m, &type) && tn_read_block24(&m, &body) && tn_read_span(&body, 34, &fixed) &&
               tn_read_block8(&body, &session_id) && tn_read_block16(&body, &suites) &&
               tn_read_block8(&body, &compression);
  if (!whole || type != 1) fail_msg("%s is no ClientHello", name);
  s.suite = has_u16(suites, 0x1301) || has_u16(suites, 0x1302) || has_u16(suites, 0x1303);
  uint16_t id;
  if (tn_read_block16(&body, &block))
    while (tn_read_u16(&block, &id) && tn_read_block16(&block, &ext)) summarize_extension(&s, id, ext);
  tn_writer_free(&message);
  return s;
}

static size_t greeted, retried, refused;

static void greet(const char *name, tn_span wire) {
  summary asked = summarize(name, wire);
  script s;
  uint8_t type;
  tn_span content;
  script_open(&s, &fixture, TN_CLIENT);
  script_wire(&s, wire);
  bool willing = asked.has_1_3 && asked.suite && asked.group && asked.scheme && asked.has_shares;
  if (!willing) {
    int alert = script_alert(&s);
    int wanted = !asked.has_1_3                                                 ? TN_ALERT_PROTOCOL_VERSION
                 : !asked.has_groups || !asked.has_schemes || !asked.has_shares ? TN_ALERT_MISSING_EXTENSION
                                                                                : TN_ALERT_HANDSHAKE_FAILURE;
    if (alert != wanted) fail_msg("%s: alert %d, wanted %d (%s)", name, alert, wanted, tn_reason_name(s.result.reason));
    refused++;
  } else {
    if (!tn_ok(s.result)) fail_msg("%s: %s", name, tn_reason_name(s.result.reason));
    assert_true(script_next(&s, &type, &content));
    assert_int_equal(type, TN_CONTENT_HANDSHAKE);
    assert_true(content.n > 38);
    assert_int_equal(content.p[0], TN_MSG_SERVER_HELLO);
    bool retry = memcmp(content.p + 6, tn_retry_random, 32) == 0;
    assert_int_equal(retry, !asked.share);
    retried += retry;
    greeted += !retry;
  }
  script_close(&s);
}

static void every_client_is_answered_as_it_asks(void **state) {
  (void)state;
  for_each_file("clienthello", ".bin", greet);
  print_message("%zu clients greeted, %zu asked to retry, %zu refused\n", greeted, retried, refused);
  assert_true(greeted > 10 && refused > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_fuzzers_found),
      cmocka_unit_test(what_others_said),
      cmocka_unit_test(every_client_is_answered_as_it_asks),
  };
  return cmocka_run_group_tests(tests, fixture_make, fixture_free);
}
