#include "pki_support.h"

// Base64 of every length, against libcrypto's.
static void base64_agrees_with_libcrypto(void **state) {
  (void)state;
  test_rng rng = {2};
  for (size_t n = 0; n < 300; n++) {
    uint8_t in[300], text[600], back[450];
    char want[600];
    test_rng_bytes(&rng, in, n);
    EVP_EncodeBlock((unsigned char *)want, in, (int)n);
    size_t room = sizeof back, text_len = sizeof text;
    assert_ok(tn_pem_decode(text_span(want), back, &room));
    assert_int_equal(room, n);
    assert_memory_equal(back, in, n);

    assert_ok(tn_pem_encode("X", tn_span_of(in, n), text, &text_len));
    tn_span rest = {text, text_len}, label, body;
    assert_ok(tn_pem_next(&rest, "X", &label, &body));
    room = sizeof back;
    assert_ok(tn_pem_decode(body, back, &room));
    assert_int_equal(room, n);
    assert_memory_equal(back, in, n);
    // Ours without its line ends is libcrypto's.
    char flat[600];
    size_t flat_len = 0;
    for (size_t i = 0; i < body.n; i++)
      if (body.p[i] != '\n') flat[flat_len++] = (char)body.p[i];
    flat[flat_len] = 0;
    assert_string_equal(flat, want);
  }
}

// Every byte at every place of a quantum: a digit decodes as libcrypto has it, white space is skipped, the rest
// refused.
static void every_byte_is_a_digit_or_space_or_wrong(void **state) {
  (void)state;
  static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (int c = 0; c < 256; c++)
    for (int at = 0; at < 4; at++) {
      uint8_t text[5] = "AAAA", out[3];
      size_t n = sizeof out;
      text[at] = (uint8_t)c;
      tn_result r = tn_pem_decode(tn_span_of(text, 4), out, &n);
      const char *digit = c == 0 ? NULL : strchr(alphabet, c);
      assert_int_equal(tn_ok(r), digit != NULL || (c == '=' && at == 3));
      if (digit == NULL) continue;
      uint32_t v = (uint32_t)out[0] << 16 | (uint32_t)out[1] << 8 | out[2];
      assert_int_equal(v, (uint32_t)(digit - alphabet) << (18 - 6 * at));
    }
}

static void decodes_strictly(void **state) {
  (void)state;
  static const struct {
    const char *text, *hex;  // NULL: refused
  } rows[] = {
      {"", ""},
      {" \r\n\t ", ""},
      {"AQ==", "01"},
      {"AQI=", "0102"},
      {"AQID", "010203"},
      {"A Q\nI\r\nD", "010203"},
      {"AQ = =\n", "01"},
      {"AQIDBA==", "01020304"},
      {"AQID\n\n\nBA==", "01020304"},
      {"AR==", NULL},
      {"AQJ=", NULL},
      {"AQ=", NULL},
      {"AQ", NULL},
      {"A", NULL},
      {"A===", NULL},
      {"====", NULL},
      {"=", NULL},
      {"AQID=", NULL},
      {"AQ===", NULL},
      {"AQ==AQ==", NULL},
      {"AQ=A", NULL},
      {"AQ-_", NULL},
      {"AQID:", NULL},
      {"Proc-Type: 4,ENCRYPTED", NULL},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    uint8_t out[64];
    size_t n = sizeof out;
    tn_result r = tn_pem_decode(text_span(rows[i].text), out, &n);
    if (tn_ok(r) != (rows[i].hex != NULL)) fail_msg("'%s'", rows[i].text);
    if (rows[i].hex == NULL) {
      assert_int_equal(r.reason, TN_E_PEM);
      continue;
    }
    bytes want = bytes_from_hex(rows[i].hex);
    assert_int_equal(n, want.n);
    assert_memory_equal(out, want.p, n);
    bytes_free(&want);
  }
}

static void room_is_respected(void **state) {
  (void)state;
  uint8_t out[200], in[60] = {1};
  for (size_t room = 0; room < 5; room++) {
    size_t n = room;
    memset(out, 0xaa, sizeof out);
    assert_fails(tn_pem_decode(text_span("AQIDBAU="), out, &n), NO_SPACE);
    for (size_t i = 0; i < room; i++) assert_int_equal(out[i] & ~0xaa, 0);  // nothing of it stays
    assert_int_equal(out[room], 0xaa);
  }
  size_t whole = sizeof out;
  assert_ok(tn_pem_encode("L", tn_span_of(in, sizeof in), out, &whole));
  for (size_t n = 0; n < whole; n++) {
    size_t room = n;
    assert_fails(tn_pem_encode("L", tn_span_of(in, sizeof in), out, &room), NO_SPACE);
  }
}

#define A "-----BEGIN A-----\nAQID\n-----END A-----\n"
#define B "-----BEGIN B-----\nBAUG\n-----END B-----\n"

// The labels that are found in a text in turn, and how it ends.
static void finds_blocks(void **state) {
  (void)state;
  static const struct {
    const char *text, *label, *found;
    tn_reason end;
  } rows[] = {
      {"", NULL, "", TN_E_NO_CERTIFICATE_FOUND},
      {"no block here", NULL, "", TN_E_NO_CERTIFICATE_FOUND},
      {A, NULL, "A", TN_E_NO_CERTIFICATE_FOUND},
      {A B A, NULL, "ABA", TN_E_NO_CERTIFICATE_FOUND},
      {A B A, "A", "AA", TN_E_NO_CERTIFICATE_FOUND},
      {A B A, "B", "B", TN_E_NO_CERTIFICATE_FOUND},
      {A B A, "", "", TN_E_NO_CERTIFICATE_FOUND},
      {"\xef\xbb\xbf" A, NULL, "A", TN_E_NO_CERTIFICATE_FOUND},
      {"text - with dashes --- and\n----\n" A "more\n\n" B "text", NULL, "AB", TN_E_NO_CERTIFICATE_FOUND},
      {"-----BEGIN A-----\r\nAQID\r\n-----END A-----\r\n" B, NULL, "AB", TN_E_NO_CERTIFICATE_FOUND},
      {"-----BEGIN A-----\rAQID\r-----END A-----\r" B, NULL, "AB", TN_E_NO_CERTIFICATE_FOUND},
      {"-----BEGIN A-----  \nAQID\n-----END A----- \t", NULL, "A", TN_E_NO_CERTIFICATE_FOUND},
      {"-----BEGIN A-----\n-----END A-----", NULL, "A", TN_E_NO_CERTIFICATE_FOUND},
      {"x-----BEGIN A-----\nAQID\n-----END A-----\n", NULL, "", TN_E_NO_CERTIFICATE_FOUND},
      {"-----BEGIN A-----\nAQID\n", NULL, "", TN_E_PEM},
      {A "-----BEGIN A-----\nAQID\n", NULL, "A", TN_E_PEM},
      {"-----BEGIN A-----\nAQID\n-----END B-----\n", NULL, "", TN_E_PEM},
      {"-----BEGIN A-----\nAQID\n-----END A----\n", NULL, "", TN_E_PEM},
      {"-----BEGIN A-----\nAQID\n-----END A-----x\n", NULL, "", TN_E_PEM},
      {"-----BEGIN A-----\nAQID\n" B, NULL, "", TN_E_PEM},
      {"-----BEGIN A----\nAQID\n-----END A-----\n", NULL, "", TN_E_PEM},
      {"-----BEGIN A-----", NULL, "", TN_E_PEM},
      {"-----BEGIN ", NULL, "", TN_E_PEM},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    tn_span text = text_span(rows[i].text), label, body;
    tn_result r;
    for (const char *want = rows[i].found; *want != 0; want++) {
      assert_ok(tn_pem_next(&text, rows[i].label, &label, &body));
      assert_int_equal(label.n, 1);
      assert_int_equal(label.p[0], *want);
    }
    r = tn_pem_next(&text, rows[i].label, &label, &body);
    if (r.reason != rows[i].end) fail_msg("row %zu ends with %s", i, tn_reason_name(r.reason));
  }
}

// Any prefix and any flipped byte of a text with two blocks: an answer, and no byte outside read (the sanitizer sees).
static void broken_texts_do_no_harm(void **state) {
  (void)state;
  static const char text[] = "intro\r\n" A "between" B;
  for (size_t n = 0; n < sizeof text; n++)
    for (int flip = 0; flip < 9; flip++) {
      uint8_t *copy = malloc(n + (n == 0));
      memcpy(copy, text, n);
      if (n != 0 && flip < 8) copy[n - 1] ^= (uint8_t)(1 << flip);
      tn_span rest = {copy, n}, label, body;
      size_t found = 0;
      while (tn_ok(tn_pem_next(&rest, NULL, &label, &body))) {
        uint8_t out[64];
        size_t room = sizeof out;
        tn_result r = tn_pem_decode(body, out, &room);
        assert_true(tn_ok(r) || r.reason == TN_E_PEM);
        found++;
      }
      assert_true(found <= 2);
      free(copy);
    }
}

// What libcrypto writes we read, and the reverse.
static void libcrypto_reads_ours(void **state) {
  (void)state;
  test_rng rng = {3};
  for (size_t n = 1; n < 400; n += 7) {
    uint8_t der[400], text[800];
    size_t len = sizeof text;
    test_rng_bytes(&rng, der, n);
    assert_ok(tn_pem_encode("SOME THING", tn_span_of(der, n), text, &len));
    assert_true(len <= n * 4 / 3 + n / 48 + 100);
    BIO *bio = BIO_new_mem_buf(text, (int)len);
    char *name, *header;
    unsigned char *data;
    long data_len;
    assert_int_equal(PEM_read_bio(bio, &name, &header, &data, &data_len), 1);
    assert_string_equal(name, "SOME THING");
    assert_int_equal(data_len, n);
    assert_memory_equal(data, der, n);
    OPENSSL_free(name);
    OPENSSL_free(header);
    OPENSSL_free(data);
    BIO_free(bio);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(base64_agrees_with_libcrypto),
      cmocka_unit_test(every_byte_is_a_digit_or_space_or_wrong),
      cmocka_unit_test(decodes_strictly),
      cmocka_unit_test(room_is_respected),
      cmocka_unit_test(finds_blocks),
      cmocka_unit_test(broken_texts_do_no_harm),
      cmocka_unit_test(libcrypto_reads_ours),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
