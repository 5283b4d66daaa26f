// What a request is answered with, from its bytes to the response's.
#include "fake_wire.h"
#include "support/support.h"

static tree files;

static int set_up(void **state) {
  (void)state;
  tree_make(&files);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  tree_remove(&files);
  return 0;
}

#define H "Host: x\r\n"
#define GET(path) "GET " path " HTTP/1.1\r\n" H "\r\n"
#define MODIFIED "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n"

typedef struct answer_row {
  const char *request;
  unsigned status;
  const char *body;    // exactly this; NULL: an error's page
  const char *has[3];  // parts of the head
} answer_row;

static const answer_row rows[] = {
    // files
    {GET("/a.txt"),
     200,
     "0123456789",
     {"Content-Length: 10\r\n", "Content-Type: text/plain; charset=utf-8\r\n", "Accept-Ranges: bytes\r\n"}},
    {GET("/a.txt?x=y"), 200, "0123456789", {MODIFIED, "Date: Sun, 30 Nov 2025 10:53:20 GMT\r\n", "ETag: \""}},
    {GET("https://elsewhere/a.txt"), 200, "0123456789", {0}},
    {GET("/"), 200, "<p>root\n", {"Content-Type: text/html; charset=utf-8\r\n"}},
    {GET("/dir/"), 200, "<p>dir\n", {"Content-Type: text/html; charset=utf-8\r\n"}},
    {GET("/d%20ir/"), 200, "<p>d ir\n", {0}},
    {GET("/dir/b"), 200, "b", {"Content-Type: application/octet-stream\r\n", "X-Content-Type-Options: nosniff\r\n"}},
    {GET("/empty.txt"), 200, "", {"Content-Length: 0\r\n"}},
    {GET("/link"), 200, "b", {0}},
    {GET("/only.txt"), 200, "second", {0}},  // from the second directory
    {GET("/dir/../a.txt"), 200, "0123456789", {0}},
    {"HEAD /a.txt HTTP/1.1\r\n" H "\r\n", 200, "", {"Content-Length: 10\r\n", MODIFIED}},
    {"HEAD /absent HTTP/1.1\r\n" H "\r\n", 404, "", {"Content-Length: "}},
    {GET("/page"),
     200,
     "{\"page\": true}",
     {"Content-Type: application/json\r\n", "Cache-Control: no-store\r\n", "Content-Length: 14\r\n"}},
    {GET("/page?x"), 200, "{\"page\": true}", {0}},
    {GET("/page/"), 404, NULL, {0}},
    // redirects
    {GET("/dir"), 301, NULL, {"Location: /dir/\r\n"}},
    {GET("/d%20ir?a=b"), 301, NULL, {"Location: /d%20ir/?a=b\r\n"}},
    {GET("//dir"), 301, NULL, {"Location: /dir/\r\n"}},  // never "//dir/", which is another host
    {GET("https://x/dir"), 301, NULL, {"Location: /dir/\r\n"}},
    // refused
    {GET("/absent"), 404, NULL, {"Content-Type: text/html; charset=utf-8\r\n"}},
    {GET("/a.txt/"), 404, NULL, {0}},
    {GET("/a.txt/b"), 404, NULL, {0}},
    {GET("/empty/"), 404, NULL, {0}},
    {GET("/.hidden"), 404, NULL, {0}},
    {GET("/%2ehidden"), 404, NULL, {0}},
    {GET("/out"), 404, NULL, {0}},
    {GET("/outdir/file"), 404, NULL, {0}},
    {GET("/parent/secret"), 404, NULL, {0}},
    {GET("/absolute/passwd"), 404, NULL, {0}},
    {GET("/loop"), 404, NULL, {0}},
    {GET("/fifo"), 403, NULL, {0}},
    {GET("/../secret"), 400, NULL, {0}},
    {GET("/%2e%2e/secret"), 400, NULL, {0}},
    {GET("/..%2fsecret"), 400, NULL, {0}},
    {GET("/a.txt%00"), 400, NULL, {0}},
    {GET("*"), 400, NULL, {0}},
    {"POST /a.txt HTTP/1.1\r\n" H "Content-Length: 3\r\n\r\nabc", 405, NULL, {"Allow: GET, HEAD\r\n"}},
    {"OPTIONS * HTTP/1.1\r\n" H "\r\n", 405, NULL, {"Allow: GET, HEAD\r\n"}},
    {"CONNECT a:1 HTTP/1.1\r\n" H "\r\n", 405, NULL, {"Connection: close\r\n"}},
    {"BREW / HTTP/1.1\r\n" H "\r\n", 501, NULL, {"Connection: close\r\n"}},
    {"GET / HTTP/1.1\r\n\r\n", 400, NULL, {"Connection: close\r\n"}},
    {"GET / HTTP/2.0\r\n\r\n", 505, NULL, {"Connection: close\r\n"}},
    // ranges
    {"GET /a.txt HTTP/1.1\r\n" H "Range: bytes=2-4\r\n\r\n",
     206,
     "234",
     {"Content-Range: bytes 2-4/10\r\n", "Content-Length: 3\r\n", MODIFIED}},
    {"GET /a.txt HTTP/1.1\r\n" H "Range: bytes=-1\r\n\r\n", 206, "9", {"Content-Range: bytes 9-9/10\r\n"}},
    {"GET /a.txt HTTP/1.1\r\n" H "Range: bytes=0-\r\n\r\n", 206, "0123456789", {"Content-Range: bytes 0-9/10\r\n"}},
    {"GET /a.txt HTTP/1.1\r\n" H "Range: bytes=10-\r\n\r\n", 416, NULL, {"Content-Range: bytes */10\r\n"}},
    {"GET /empty.txt HTTP/1.1\r\n" H "Range: bytes=0-\r\n\r\n", 416, NULL, {"Content-Range: bytes */0\r\n"}},
    {"GET /a.txt HTTP/1.1\r\n" H "Range: bytes=0-1,3-4\r\n\r\n", 200, "0123456789", {"Accept-Ranges: bytes\r\n"}},
    {"GET /a.txt HTTP/1.1\r\n" H "Range: bytes=0-1\r\nRange: bytes=3-4\r\n\r\n", 200, "0123456789", {0}},
    {"HEAD /a.txt HTTP/1.1\r\n" H "Range: bytes=2-4\r\n\r\n", 200, "", {"Content-Length: 10\r\n"}},
    {"GET /a.txt HTTP/1.1\r\n" H "Range: bytes=2-4\r\nIf-Range: \"x\"\r\n\r\n", 200, "0123456789", {0}},
    {"GET /a.txt HTTP/1.1\r\n" H "Range: bytes=2-4\r\nIf-Range: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n",
     206,
     "234",
     {0}},
    // conditions
    {"GET /a.txt HTTP/1.1\r\n" H "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n",
     304,
     "",
     {"ETag: \"", MODIFIED}},
    {"GET /a.txt HTTP/1.1\r\n" H "If-None-Match: *\r\n\r\n", 304, "", {0}},
    {"GET /a.txt HTTP/1.1\r\n" H "If-None-Match: *\r\nRange: bytes=2-4\r\n\r\n", 304, "", {0}},
    {"HEAD /a.txt HTTP/1.1\r\n" H "If-None-Match: *\r\n\r\n", 304, "", {0}},
    {"GET /a.txt HTTP/1.1\r\n" H "If-Match: \"x\"\r\n\r\n", 412, NULL, {0}},
    {"GET /absent HTTP/1.1\r\n" H "If-None-Match: *\r\n\r\n", 404, NULL, {0}},
    // HTTP/1.0
    {"GET /dir/b HTTP/1.0\r\n\r\n", 200, "b", {"Connection: close\r\n"}},
    {"GET /dir/b HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 200, "b", {"Connection: keep-alive\r\n"}},
};

static void answers(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    const answer_row *row = &rows[i];
    size_t n;
    char *out = fake_exchange(&files, row->request, strlen(row->request), &n);
    unsigned status = 0;
    char *body = strstr(out, "\r\n\r\n");
    if (sscanf(out, "HTTP/1.1 %3u ", &status) != 1 || status != row->status || body == NULL)
      fail_msg("%s gives:\n%s", row->request, out);
    body += 4;
    if (row->body != NULL && strcmp(body, row->body) != 0) fail_msg("%s gives:\n%s", row->request, out);
    if (row->body == NULL && strstr(body, "<h1>") == NULL) fail_msg("%s gives:\n%s", row->request, out);
    *body = 0;
    for (size_t h = 0; h < COUNT(row->has) && row->has[h] != NULL; h++) {
      if (strstr(out, row->has[h]) == NULL) fail_msg("%s lacks %s:\n%s", row->request, row->has[h], out);
    }
    // A length is there exactly where a body could be.
    assert_int_equal(strstr(out, "Content-Length: ") == NULL, row->status == 304);
    free(out);
  }
}

static void same_however_it_is_cut(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    size_t length = strlen(rows[i].request), n, m;
    char *whole = fake_exchange(&files, rows[i].request, length, &n);
    for (size_t split = 0; split < length; split++) {
      char *parts = fake_exchange(&files, rows[i].request, split, &m);
      assert_int_equal(m, n);
      assert_memory_equal(parts, whole, n);
      free(parts);
    }
    free(whole);
  }
}

// The tag that a file has is one that its conditions know, and another file has another.
static void etag_round_trip(void **state) {
  (void)state;
  size_t n;
  char *first = fake_exchange(&files, GET("/a.txt"), 0, &n);
  char *other = fake_exchange(&files, GET("/dir/b"), 0, &n);
  char tag[80], other_tag[80], request[512];
  assert_int_equal(sscanf(strstr(first, "ETag: "), "ETag: %79s", tag), 1);
  assert_int_equal(sscanf(strstr(other, "ETag: "), "ETag: %79s", other_tag), 1);
  assert_string_not_equal(tag, other_tag);
  static const struct {
    const char *fields;
    bool own;
    const char *status;
  } conditions[] = {
      {"If-None-Match: %s", true, "304"},
      {"If-None-Match: W/%s", true, "304"},
      {"If-None-Match: %s", false, "200"},
      {"If-Match: %s", true, "200"},
      {"If-Match: %s", false, "412"},
      {"Range: bytes=0-0\r\nIf-Range: %s", true, "206"},
      {"Range: bytes=0-0\r\nIf-Range: %s", false, "200"},
  };
  for (size_t i = 0; i < COUNT(conditions); i++) {
    char fields[256];
    const char *mark = strstr(conditions[i].fields, "%s");
    snprintf(fields, sizeof fields, "%.*s%s", (int)(mark - conditions[i].fields), conditions[i].fields,
             conditions[i].own ? tag : other_tag);
    snprintf(request, sizeof request, "GET /a.txt HTTP/1.1\r\n" H "%s\r\n\r\n", fields);
    char *out = fake_exchange(&files, request, 0, &n);
    if (strncmp(out + 9, conditions[i].status, 3) != 0) fail_msg("%s gives:\n%s", request, out);
    free(out);
  }
  free(first);
  free(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers),
      cmocka_unit_test(same_however_it_is_cut),
      cmocka_unit_test(etag_round_trip),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
