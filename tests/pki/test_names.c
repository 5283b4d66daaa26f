#include "pki/der_write.h"
#include "pki_support.h"

// ---------------------------------------------------------------- names in words

// A Name from "OIDHEX TAG VALUE" attributes: each in a set of its own, or in the one before with `same_set`.
typedef struct {
  const char *oid;
  uint8_t tag;
  const char *value;
  size_t value_len;
  bool same_set;
} attribute;

static size_t write_name(uint8_t *buf, size_t room, const attribute *attributes, size_t n) {
  tn_writer w = tn_writer_fixed(buf, room);
  size_t name = tn_der_open(&w, TN_DER_SEQUENCE), set = 0;
  for (size_t i = 0; i < n; i++) {
    if (!attributes[i].same_set) {
      if (i != 0) tn_der_close(&w, set);
      set = tn_der_open(&w, TN_DER_SET);
    }
    size_t pair = tn_der_open(&w, TN_DER_SEQUENCE);
    bytes oid = bytes_from_hex(attributes[i].oid);
    tn_der_write(&w, TN_DER_OID, bytes_span(oid));
    bytes_free(&oid);
    tn_der_write(&w, attributes[i].tag, tn_span_of(attributes[i].value, attributes[i].value_len));
    tn_der_close(&w, pair);
  }
  if (n != 0) tn_der_close(&w, set);
  tn_der_close(&w, name);
  assert_ok(tn_writer_result(&w));
  return w.len;
}

#define CN "550403"
#define O "55040a"
#define C "550406"
#define V(s) s, sizeof(s) - 1

static const struct {
  attribute attributes[3];
  size_t n;
  const char *text, *common_name;
} names[] = {
    {{{0}}, 0, "", NULL},
    {{{CN, TN_DER_UTF8_STRING, V("localhost"), false}}, 1, "CN=localhost", "localhost"},
    {{{O, TN_DER_PRINTABLE_STRING, V("Tenon"), false}, {CN, TN_DER_UTF8_STRING, V("localhost"), false}},
     2,
     "CN=localhost, O=Tenon",
     "localhost"},
    {{{O, TN_DER_PRINTABLE_STRING, V("T"), false}, {C, TN_DER_PRINTABLE_STRING, V("DE"), true}}, 2, "O=T+C=DE", NULL},
    {{{CN, TN_DER_UTF8_STRING, V("first"), false}, {CN, TN_DER_UTF8_STRING, V("last"), false}},
     2,
     "CN=last, CN=first",
     "last"},
    {{{CN, TN_DER_UTF8_STRING, V("a,b+c\"d\\e<f>g;h"), false}},
     1,
     "CN=a\\,b\\+c\\\"d\\\\e\\<f\\>g\\;h",
     "a,b+c\"d\\e<f>g;h"},
    {{{CN, TN_DER_UTF8_STRING, V(" #x "), false}}, 1, "CN=\\ #x\\ ", " #x "},
    {{{CN, TN_DER_UTF8_STRING, V("#x"), false}}, 1, "CN=\\#x", "#x"},
    {{{CN, TN_DER_UTF8_STRING, V("\x1b[31mred\x07\x7f"), false}}, 1, "CN=\\1B[31mred\\07\\7F", "\x1b[31mred\x07\x7f"},
    {{{CN, TN_DER_UTF8_STRING, V("M\xc3\xbcller"), false}}, 1, "CN=M\\C3\\BCller", "M\xc3\xbcller"},
    {{{CN, TN_DER_UTF8_STRING, V("\xe2\x80\xae!"), false}}, 1, "CN=\\E2\\80\\AE!", "\xe2\x80\xae!"},
    {{{CN, TN_DER_INTEGER, V("\x05"), false}}, 1, "CN=#020105", "\x05"},
    {{{"2a864886f70d010914", TN_DER_UTF8_STRING, V("x"), false}}, 1, "1.2.840.113549.1.9.20=x", NULL},
    {{{"8837", TN_DER_UTF8_STRING, V("x"), false}}, 1, "2.999=x", NULL},
    {{{"2affffffffffffffffffff7f", TN_DER_UTF8_STRING, V("x"), false}}, 1, "1.2.?=x", NULL},
};

static void says_names_in_words(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(names); i++) {
    uint8_t der[256];
    char text[256];
    tn_span cn, name = {der, write_name(der, sizeof der, names[i].attributes, names[i].n)};
    size_t n = tn_name_text(name, text, sizeof text);
    assert_string_equal(text, names[i].text);
    assert_int_equal(n, strlen(text));
    bool found = tn_name_common_name(name, &cn);
    if (names[i].common_name == NULL) continue;
    assert_true(found);
    assert_int_equal(cn.n, strlen(names[i].common_name));
    assert_memory_equal(cn.p, names[i].common_name, cn.n);
    // Cut at every place: a prefix, ended by 0, and the length of the whole.
    for (size_t room = 0; room <= n; room++) {
      char cut[256];
      memset(cut, 'x', sizeof cut);
      assert_int_equal(tn_name_text(name, cut, room), n);
      if (room == 0) {
        assert_int_equal(cut[0], 'x');
      } else {
        assert_int_equal(strlen(cut), room - 1);
        assert_memory_equal(cut, text, room - 1);
      }
      assert_int_equal(cut[room], 'x');
    }
  }
}

static void bmp_strings_are_read_in_pairs(void **state) {
  (void)state;
  static const attribute a = {CN, TN_DER_BMP_STRING, V("\0A\0b\x20\x2e\0\x1b"), false};
  uint8_t der[64];
  char text[64];
  tn_name_text(tn_span_of(der, write_name(der, sizeof der, &a, 1)), text, sizeof text);
  assert_string_equal(text, "CN=Ab\\20\\2E\\1B");
}

static void a_broken_name_has_a_text(void **state) {
  (void)state;
  char text[32];
  tn_span cn;
  tn_name_text(tn_span_of("\x30\x05\x31", 3), text, sizeof text);
  assert_string_equal(text, "(malformed)");
  assert_false(tn_name_common_name(tn_span_of("\x30\x05\x31", 3), &cn));
  assert_false(tn_name_common_name(tn_span_of(NULL, 0), &cn));
}

static void long_names_are_cut_at_their_start(void **state) {
  (void)state;
  attribute many[40];
  char values[40][4], text[600];
  uint8_t der[1200];
  for (size_t i = 0; i < 40; i++) {
    snprintf(values[i], sizeof values[i], "%zu", i);
    many[i] = (attribute){O, TN_DER_UTF8_STRING, values[i], strlen(values[i]), false};
  }
  tn_name_text(tn_span_of(der, write_name(der, sizeof der, many, 40)), text, sizeof text);
  assert_memory_equal(text, "O=39, O=38, ", 12);
  assert_non_null(strstr(text, "O=8, ..."));
  assert_null(strstr(text, "O=7,"));
}

// ---------------------------------------------------------------- hosts

// A certificate that is nothing but its names: "DNS:x" or "IP:hex", separated by spaces.
static size_t write_alt_names(uint8_t *buf, size_t room, const char *names_text) {
  tn_writer w = tn_writer_fixed(buf, room);
  char copy[256], *rest = copy;
  snprintf(copy, sizeof copy, "%s", names_text);
  for (char *one; rest != NULL && (one = strsep(&rest, " ")) != NULL;) {
    if (strncmp(one, "DNS:", 4) == 0) {
      tn_der_write(&w, 0x82, text_span(one + 4));
    } else if (strncmp(one, "IP:", 3) == 0) {
      bytes address = bytes_from_hex(one + 3);
      tn_der_write(&w, 0x87, bytes_span(address));
      bytes_free(&address);
    } else if (one[0] != 0) {
      tn_der_write(&w, 0x81, text_span(one));
    }
  }
  assert_ok(tn_writer_result(&w));
  return w.len;
}

static const struct {
  const char *names, *host;
  bool matches;
} hosts[] = {
    {"DNS:example.com", "example.com", true},
    {"DNS:example.com", "EXAMPLE.com", true},
    {"DNS:ExAmPlE.CoM", "example.com", true},
    {"DNS:example.com", "example.com.", true},
    {"DNS:example.com", "example.com..", false},
    {"DNS:example.com.", "example.com", false},
    {"DNS:example.com", "www.example.com", false},
    {"DNS:www.example.com", "example.com", false},
    {"DNS:example.com", "example.co", false},
    {"DNS:example.com", "", false},
    {"DNS:example.com", ".", false},
    {"DNS:example.com", ".example.com", false},
    {"DNS:example.com", "example..com", false},
    {"DNS:localhost", "localhost", true},
    {"DNS:a.example DNS:b.example", "b.example", true},
    {"DNS:_dmarc.example.com", "_dmarc.example.com", true},
    {"DNS:xn--bcher-kva.example", "xn--bcher-kva.example", true},
    {"DNS:-a.example", "-a.example", false},
    {"DNS:a-.example", "a-.example", false},
    {"DNS:a b.example", "a b.example", false},
    {"mail@example.com", "mail@example.com", false},
    {"example.com", "example.com", false},
    {"", "example.com", false},
    // wildcards
    {"DNS:*.example.com", "www.example.com", true},
    {"DNS:*.example.com", "WWW.EXAMPLE.COM", true},
    {"DNS:*.example.com", "www.example.com.", true},
    {"DNS:*.example.com", "example.com", false},
    {"DNS:*.example.com", ".example.com", false},
    {"DNS:*.example.com", "a.b.example.com", false},
    {"DNS:*.example.com", "*.example.com", false},
    {"DNS:*.example.com", "xn--bcher-kva.example.com", true},
    {"DNS:*.com", "example.com", false},
    {"DNS:*", "com", false},
    {"DNS:*.", "com", false},
    {"DNS:w*.example.com", "www.example.com", false},
    {"DNS:*w.example.com", "www.example.com", false},
    {"DNS:w*w.example.com", "www.example.com", false},
    {"DNS:www.*.com", "www.example.com", false},
    {"DNS:*.*.example.com", "a.b.example.com", false},
    {"DNS:**.example.com", "a.example.com", false},
    // addresses
    {"IP:7f000001", "127.0.0.1", true},
    {"IP:7f000001", "127.0.0.2", false},
    {"IP:7f000001", "127.1", false},
    {"IP:7f000001", "127.0.0.01", false},
    {"IP:7f000001", "0x7f.0.0.1", false},
    {"IP:7f000001", "127.0.0.1.", false},
    {"IP:7f000001", " 127.0.0.1", false},
    {"IP:7f000001", "2130706433", false},
    {"DNS:127.0.0.1", "127.0.0.1", false},
    {"DNS:127.1", "127.1", false},
    {"DNS:*.0.0.1", "127.0.0.1", false},
    {"IP:00000000000000000000000000000001", "::1", true},
    {"IP:00000000000000000000000000000001", "0:0:0:0:0:0:0:1", true},
    {"IP:00000000000000000000000000000001", "0000:0000:0000:0000:0000:0000:0000:0001", true},
    {"IP:20010db8000000000000000000000001", "2001:DB8::1", true},
    {"IP:20010db8000000000000000000000001", "[2001:db8::1]", false},
    {"IP:20010db8000000000000000000000001", "2001:db8::1%eth0", false},
    {"IP:20010db8000000000000000000000001", "2001:db8::2", false},
    {"IP:00000000000000000000ffff7f000001", "127.0.0.1", false},
    {"IP:00000000000000000000ffff7f000001", "::ffff:127.0.0.1", true},
    {"IP:7f000001", "::ffff:127.0.0.1", false},
};

static void matches_hosts(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(hosts); i++) {
    uint8_t buf[256];
    tn_cert cert = {.alt_names = {buf, write_alt_names(buf, sizeof buf, hosts[i].names)}};
    bool matches = tn_cert_matches(&cert, text_span(hosts[i].host));
    if (matches != hosts[i].matches) fail_msg("%s against '%s'", hosts[i].names, hosts[i].host);
  }
}

static void nul_bytes_match_nothing(void **state) {
  (void)state;
  static const struct {
    const char *name, *host;
    size_t name_len, host_len;
  } rows[] = {
      {"good.example\0.bad.example", "good.example", 25, 12},
      {"good.example", "good.example\0.bad.example", 12, 25},
      {"good.example\0", "good.example\0", 13, 13},
      {"\0", "\0", 1, 1},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    uint8_t buf[64];
    tn_writer w = tn_writer_fixed(buf, sizeof buf);
    tn_der_write(&w, 0x82, tn_span_of(rows[i].name, rows[i].name_len));
    tn_cert cert = {.alt_names = tn_writer_span(&w)};
    assert_false(tn_cert_matches(&cert, tn_span_of(rows[i].host, rows[i].host_len)));
  }
  static const uint8_t loopback[] = {0x87, 4, 127, 0, 0, 1};
  tn_cert cert = {.alt_names = {loopback, sizeof loopback}};
  assert_true(tn_cert_matches(&cert, tn_span_of("127.0.0.1", 9)));
  assert_false(tn_cert_matches(&cert, tn_span_of("127.0.0.1\0", 10)));
}

static void label_and_name_lengths_have_limits(void **state) {
  (void)state;
  char host[300];
  for (size_t label = 60; label < 67; label++) {
    memset(host, 'a', sizeof host);
    memcpy(host + label, ".example", 9);
    uint8_t buf[300];
    tn_writer w = tn_writer_fixed(buf, sizeof buf);
    tn_der_write(&w, 0x82, text_span(host));
    tn_cert cert = {.alt_names = tn_writer_span(&w)};
    assert_int_equal(tn_cert_matches(&cert, text_span(host)), label <= 63);
  }
  for (size_t n = 250; n < 257; n++) {
    for (size_t i = 0; i < n; i++) host[i] = i % 2 == 0 ? 'a' : '.';
    host[n - 1] = 'a', host[n - 2] = 'a';
    host[n] = 0;
    uint8_t buf[300];
    tn_writer w = tn_writer_fixed(buf, sizeof buf);
    tn_der_write(&w, 0x82, text_span(host));
    tn_cert cert = {.alt_names = tn_writer_span(&w)};
    assert_int_equal(tn_cert_matches(&cert, text_span(host)), n <= 253);
  }
}

static void lists_the_names(void **state) {
  (void)state;
  uint8_t buf[128];
  tn_cert cert = {.alt_names = {buf, write_alt_names(buf, sizeof buf, "DNS:a.example mail@x IP:7f000001")}};
  static const struct {
    tn_name_type type;
    size_t n;
  } want[] = {{TN_NAME_DNS, 9}, {TN_NAME_OTHER, 6}, {TN_NAME_IP, 4}};
  size_t at = 0;
  tn_name_type type;
  tn_span name;
  for (size_t i = 0; i < COUNT(want); i++) {
    assert_true(tn_cert_next_name(&cert, &at, &type, &name));
    assert_int_equal(type, want[i].type);
    assert_int_equal(name.n, want[i].n);
  }
  assert_false(tn_cert_next_name(&cert, &at, &type, &name));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(says_names_in_words),
      cmocka_unit_test(bmp_strings_are_read_in_pairs),
      cmocka_unit_test(a_broken_name_has_a_text),
      cmocka_unit_test(long_names_are_cut_at_their_start),
      cmocka_unit_test(matches_hosts),
      cmocka_unit_test(nul_bytes_match_nothing),
      cmocka_unit_test(lists_the_names),
      cmocka_unit_test(label_and_name_lengths_have_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
