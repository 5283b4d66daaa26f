#include "serve/text.h"
#include "serve/url_path.h"
#include "support/support.h"

static void splits(void **state) {
  (void)state;
  static const struct {
    const char *target, *path, *query;  // path NULL: refused
  } rows[] = {
      {"/", "/", ""},
      {"/a/b?c=d", "/a/b", "?c=d"},
      {"/a?b?c", "/a", "?b?c"},
      {"/?", "/", "?"},
      {"//example.org/a", "//example.org/a", ""},
      {"https://example.org/a?b", "/a", "?b"},
      {"HTTPS://example.org:8443", "/", ""},
      {"http://example.org?x", "/", "?x"},
      {"https://", NULL, NULL},
      {"https:///a", NULL, NULL},
      {"https://user@example.org/", NULL, NULL},
      {"https://example.org\\@evil/", NULL, NULL},
      {"ftp://example.org/", NULL, NULL},
      {"*", NULL, NULL},
      {"example.org:443", NULL, NULL},
      {"a/b", NULL, NULL},
      {"", NULL, NULL},
      {"/a#b", NULL, NULL},
      {"/a?b#c", NULL, NULL},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    tn_span path, query;
    bool ok = tn_url_split(tn_text(rows[i].target), &path, &query);
    if (ok != (rows[i].path != NULL)) fail_msg("%s", rows[i].target);
    if (!ok) continue;
    assert_int_equal(path.n, strlen(rows[i].path));
    assert_memory_equal(path.p, rows[i].path, path.n);
    assert_int_equal(query.n, strlen(rows[i].query));
    assert_memory_equal(query.p, rows[i].query, query.n);
  }
}

static void decodes(void **state) {
  (void)state;
  static const struct {
    const char *path;
    unsigned status;
    const char *text;
    bool is_dir;
  } rows[] = {
      {"/", 0, "", true},
      {"/a", 0, "a", false},
      {"/a/", 0, "a", true},
      {"/a/b.txt", 0, "a/b.txt", false},
      {"/a%20b", 0, "a b", false},
      {"/%41%e2%82%ac", 0, "A\xe2\x82\xac", false},
      {"/a+b", 0, "a+b", false},
      {"/100%25", 0, "100%", false},
      {"/%252e%252e/x", 0, "%2e%2e/x", false},  // decoded once, not twice
      // empty and dot segments
      {"//", 0, "", true},
      {"//a", 0, "a", false},
      {"/a//b", 0, "a/b", false},
      {"/a///", 0, "a", true},
      {"/./a", 0, "a", false},
      {"/a/.", 0, "a", true},
      {"/a/./b", 0, "a/b", false},
      {"/a/../b", 0, "b", false},
      {"/a/b/..", 0, "a", true},
      {"/a/b/../c", 0, "a/c", false},
      {"/a/..", 0, "", true},
      {"/a/%2e%2e/b", 0, "b", false},
      {"/a/%2E./b", 0, "b", false},
      {"/..", 400, NULL, false},
      {"/../etc/passwd", 400, NULL, false},
      {"/a/../../etc/passwd", 400, NULL, false},
      {"/%2e%2e/etc/passwd", 400, NULL, false},
      {"/.%2e/etc/passwd", 400, NULL, false},
      {"/a//../../x", 400, NULL, false},
      // what no segment may have
      {"/a%00b", 400, NULL, false},
      {"/a%0a", 400, NULL, false},
      {"/a%7f", 400, NULL, false},
      {"/a%2fb", 400, NULL, false},
      {"/..%2f..%2fetc", 400, NULL, false},
      {"/a\\b", 400, NULL, false},
      {"/a%5cb", 400, NULL, false},
      {"/..\\x", 400, NULL, false},
      {"/%", 400, NULL, false},
      {"/%4", 400, NULL, false},
      {"/%4g", 400, NULL, false},
      {"/%zz", 400, NULL, false},
      {"/a%", 400, NULL, false},
      // hidden
      {"/.git/config", 404, NULL, false},
      {"/a/.htpasswd", 404, NULL, false},
      {"/%2egit", 404, NULL, false},
      {"/...", 404, NULL, false},
      {"/..a", 404, NULL, false},
      {"/.well-known/.a", 404, NULL, false},
      {"/a/.well-known/b", 404, NULL, false},
      {"/.well-known-not/b", 404, NULL, false},
      {"/.Well-Known/b", 404, NULL, false},
      {"/.well-know", 404, NULL, false},
      {"/.well-known/acme-challenge/x_1-2", 0, ".well-known/acme-challenge/x_1-2", false},
      {"//a/..//%2ewell-known", 0, ".well-known", false},
      {"/.well-known/", 0, ".well-known", true},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    tn_url_path path;
    unsigned status = tn_url_path_decode(tn_text(rows[i].path), &path);
    if (status != rows[i].status) fail_msg("%s: %u", rows[i].path, status);
    if (status != 0) continue;
    assert_string_equal(path.text, rows[i].text);
    assert_int_equal(path.n, strlen(rows[i].text));
    if (path.is_dir != rows[i].is_dir) fail_msg("%s", rows[i].path);
  }
}

static void lengths(void **state) {
  (void)state;
  static char longest[TN_URL_PATH_MAX + 2];
  tn_url_path path;
  memset(longest, 'a', sizeof longest);
  longest[0] = '/';
  assert_int_equal(tn_url_path_decode(tn_span_of(longest, TN_URL_PATH_MAX), &path), 0);
  assert_int_equal(path.n, TN_URL_PATH_MAX - 1);
  assert_int_equal(tn_url_path_decode(tn_span_of(longest, TN_URL_PATH_MAX + 1), &path), 404);
  for (size_t i = 0; i < TN_URL_PATH_MAX; i += 2) longest[i] = '/';
  assert_int_equal(tn_url_path_decode(tn_span_of(longest, TN_URL_PATH_MAX), &path), 0);
  assert_int_equal(path.n, TN_URL_PATH_MAX - 1);
}

// Whatever bytes there are, what comes out is a harmless relative path.
static void random_paths(void **state) {
  (void)state;
  static const char *const pieces[] = {"/",   "/",  ".", "..", "%2e", "%2E", "%2f",
                                       "%5c", "\\", "a", "b",  "%00", "%",   "%41"};
  test_rng rng = {7};
  for (int round = 0; round < 200000; round++) {
    char text[64] = "/";
    for (int i = 0; i < 8; i++) strcat(text, pieces[test_rng_next(&rng) % COUNT(pieces)]);
    tn_url_path path;
    if (tn_url_path_decode(tn_text(text), &path) != 0) continue;
    char with_slashes[sizeof path.text + 2];
    snprintf(with_slashes, sizeof with_slashes, "/%s/", path.text);
    if (strstr(with_slashes, "/.") != NULL) fail_msg("%s: %s", text, path.text);
    if (path.n != 0 && strstr(with_slashes, "//") != NULL) fail_msg("%s: %s", text, path.text);
    if (strchr(path.text, '\\') != NULL || strlen(path.text) != path.n) fail_msg("%s: %s", text, path.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(splits),
      cmocka_unit_test(decodes),
      cmocka_unit_test(lengths),
      cmocka_unit_test(random_paths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
