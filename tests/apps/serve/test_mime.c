#include "serve/mime.h"
#include "support/support.h"

static void types(void **state) {
  (void)state;
  static const struct {
    const char *name, *type;
  } rows[] = {
      {"index.html", "text/html; charset=utf-8"},
      {"a/b.HTML", "text/html; charset=utf-8"},
      {"style.css", "text/css; charset=utf-8"},
      {"x.min.js", "text/javascript; charset=utf-8"},
      {"favicon.svg", "image/svg+xml"},
      {"a.tar.gz", "application/gzip"},
      {"m.wasm", "application/wasm"},
      {"LICENSE", "application/octet-stream"},
      {"dir.html/file", "application/octet-stream"},
      {"html", "application/octet-stream"},
      {"a.", "application/octet-stream"},
      {"a.htmlx", "application/octet-stream"},
      {"", "application/octet-stream"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) assert_string_equal(tn_mime_type(rows[i].name), rows[i].type);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(types)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
