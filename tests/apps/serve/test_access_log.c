#include "serve/access_log.h"
#include "serve/text.h"
#include "support/support.h"

static void lines(void **state) {
  (void)state;
  static const struct {
    tn_access access;
    const char *request_line, *text;
  } rows[] = {
      {{.peer = "192.0.2.1:4711", .status = 200, .sent = 2326, .version = "TLSv1.3", .suite = "TLS_AES_128_GCM_SHA256"},
       "GET /a HTTP/1.1",
       "192.0.2.1 - - [01/Jan/1970:00:00:00 +0000] \"GET /a HTTP/1.1\" 200 2326 TLSv1.3 TLS_AES_128_GCM_SHA256\n"},
      {{.peer = "[2001:db8::1]:4711", .status = 400},
       "",
       "2001:db8::1 - - [01/Jan/1970:00:00:00 +0000] \"-\" 400 0 - -\n"},
      {{.peer = "192.0.2.1:65535", .status = 404, .sent = 1},
       "GET /\"\n\\\xff\x1b[2J\x7f HTTP/1.1",
       "192.0.2.1 - - [01/Jan/1970:00:00:00 +0000] \"GET /\\x22\\x0A\\x5C\\xFF\\x1B[2J\\x7F HTTP/1.1\" 404 1 - -\n"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    tn_access access = rows[i].access;
    access.request_line = tn_text(rows[i].request_line);
    tn_writer w = tn_writer_growing(NULL, 4096);
    tn_access_log_write(&w, &access);
    assert_ok(tn_writer_result(&w));
    assert_int_equal(w.len, strlen(rows[i].text));
    assert_memory_equal(w.buf, rows[i].text, w.len);
    tn_writer_free(&w);
  }
}

static void escapes(void **state) {
  (void)state;
  static const struct {
    void (*write)(tn_writer *w, tn_span s);
    const char *in, *out;
  } rows[] = {
      {tn_write_log, "a b~", "a b~"},
      {tn_write_log, "\r\n", "\\x0D\\x0A"},
      {tn_write_json, "a\"b\\c", "\"a\\u0022b\\u005Cc\""},
      {tn_write_json, "\xff</script>\n", "\"\\u00FF\\u003C/script>\\u000A\""},
      {tn_write_url_path, "a b/%?#:\xc3\xa9", "a%20b/%25%3F%23%3A%C3%A9"},
      {tn_write_url_query, "?a=b%20c&d\"\r\n<\xff", "?a=b%20c&d%22%0D%0A%3C%FF"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    uint8_t out[128];
    tn_writer w = tn_writer_fixed(out, sizeof out);
    rows[i].write(&w, tn_text(rows[i].in));
    assert_ok(tn_writer_result(&w));
    assert_int_equal(w.len, strlen(rows[i].out));
    assert_memory_equal(out, rows[i].out, w.len);
  }
}

int main(void) {
  setenv("TZ", "UTC", 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(lines), cmocka_unit_test(escapes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
