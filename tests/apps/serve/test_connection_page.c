#include "serve/connection_page.h"
#include "serve/text.h"
#include "support/support.h"

static json_t *page_of(const tn_conn_info *info) {
  tn_writer w = tn_writer_growing(NULL, 4096);
  tn_connection_page_write(&w, info, 12, 1ull << 60);
  assert_ok(tn_writer_result(&w));
  json_t *page = json_loadb((const char *)w.buf, w.len, 0, NULL);
  assert_non_null(page);
  tn_writer_free(&w);
  return page;
}

static void is_json(void **state) {
  (void)state;
  const tn_conn_info info = {
      .version = "TLSv1.3",
      .suite = "TLS_CHACHA20_POLY1305_SHA256",
      .group = "x25519",
      .signature = "ecdsa_secp256r1_sha256",
      .server_name = tn_text("a\"\\\n\xff</script>"),
      .alpn = tn_text("http/1.1"),
      .retried = true,
  };
  static const struct {
    const char *name, *value;
  } rows[] = {
      {"version", "TLSv1.3"},
      {"suite", "TLS_CHACHA20_POLY1305_SHA256"},
      {"group", "x25519"},
      {"signature", "ecdsa_secp256r1_sha256"},
      {"server_name", "a\"\\\n\xc3\xbf</script>"},
      {"alpn", "http/1.1"},
  };
  json_t *page = page_of(&info);
  for (size_t i = 0; i < COUNT(rows); i++) {
    assert_string_equal(json_string_value(json_object_get(page, rows[i].name)), rows[i].value);
  }
  assert_true(json_is_true(json_object_get(page, "retried")));
  assert_int_equal(json_integer_value(json_object_get(page, "bytes_received")), 12);
  assert_int_equal(json_integer_value(json_object_get(page, "bytes_sent")), 1ll << 60);
  json_decref(page);
}

static void unknown_is_empty(void **state) {
  (void)state;
  json_t *page = page_of(&(tn_conn_info){0});
  assert_string_equal(json_string_value(json_object_get(page, "group")), "");
  assert_string_equal(json_string_value(json_object_get(page, "server_name")), "");
  assert_true(json_is_false(json_object_get(page, "retried")));
  json_decref(page);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(is_json), cmocka_unit_test(unknown_is_empty)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
