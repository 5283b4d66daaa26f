#include "pki/der.h"
#include "pki/der_write.h"
#include "pki/time.h"
#include "pki_support.h"

typedef bool (*read_function)(tn_reader *r);

static bool read_any(tn_reader *r) {
  tn_der e;
  return tn_der_next(r, &e);
}
static bool read_integer(tn_reader *r) {
  tn_span s;
  return tn_der_read_integer(r, &s);
}
static bool read_small(tn_reader *r) {
  uint32_t v;
  return tn_der_read_small(r, &v);
}
static bool read_boolean(tn_reader *r) {
  bool v;
  return tn_der_read_boolean(r, &v);
}
static bool read_oid(tn_reader *r) {
  tn_span s;
  return tn_der_read_oid(r, &s);
}
static bool read_bits(tn_reader *r) {
  tn_span s;
  unsigned unused;
  return tn_der_read_bits(r, TN_DER_BIT_STRING, &s, &unused);
}
static bool read_bit_bytes(tn_reader *r) {
  tn_span s;
  return tn_der_read_bit_bytes(r, TN_DER_BIT_STRING, &s);
}
static bool read_sequence(tn_reader *r) {
  tn_reader body;
  return tn_der_enter(r, TN_DER_SEQUENCE, &body);
}

// What one element may look like and what it may not.
static const struct {
  const char *what;
  read_function read;
  const char *hex;
  bool good;
} elements[] = {
    {"nothing", read_any, "", false},
    {"a tag alone", read_any, "30", false},
    {"empty", read_any, "3000", true},
    {"short length", read_any, "0401aa", true},
    {"contents missing", read_any, "0402aa", false},
    {"long length that fits the short form", read_any, "04817f", false},
    {"long length with a leading zero", read_any, "04820080", false},
    {"indefinite length", read_any, "30800000", false},
    {"reserved length", read_any, "30ff", false},
    {"five bytes of length", read_any, "04850000000001aa", false},
    {"a length beyond everything", read_any, "0484ffffffff", false},
    {"a length cut short", read_any, "0482ff", false},
    {"high tag", read_any, "1f8101 00", false},
    {"high tag, context", read_any, "bf8101 00", false},
    {"end of contents", read_any, "0000", false},
    {"constructed OCTET STRING", read_any, "2403040100", false},
    {"primitive SEQUENCE", read_any, "1000", false},
    {"primitive SET", read_any, "1100", false},
    {"context, primitive", read_any, "8000", true},
    {"context, constructed", read_any, "a000", true},
    {"SEQUENCE wanted", read_sequence, "3100", false},
    {"SEQUENCE", read_sequence, "3000", true},
    {"integer 0", read_integer, "020100", true},
    {"integer without bytes", read_integer, "0200", false},
    {"integer 128", read_integer, "02020080", true},
    {"integer 127 with a zero", read_integer, "0202007f", false},
    {"integer -1", read_integer, "0201ff", true},
    {"integer -1 with an ff", read_integer, "0202ffff", false},
    {"integer -129", read_integer, "0202ff7f", true},
    {"small 2^32-1", read_small, "020500ffffffff", true},
    {"small 2^32", read_small, "02050100000000", false},
    {"small -1", read_small, "0201ff", false},
    {"boolean true", read_boolean, "0101ff", true},
    {"boolean false", read_boolean, "010100", true},
    {"boolean of BER", read_boolean, "010101", false},
    {"boolean of two bytes", read_boolean, "0102ffff", false},
    {"boolean empty", read_boolean, "0100", false},
    {"oid", read_oid, "0603550403", true},
    {"oid empty", read_oid, "0600", false},
    {"oid unfinished", read_oid, "0602 5584", false},
    {"oid with a leading zero digit", read_oid, "0604 55 80 01 01", false},
    {"bits empty", read_bits, "030100", true},
    {"bits without their count", read_bits, "0300", false},
    {"bits, 7 unused", read_bits, "03020780", true},
    {"bits, unused are not zero", read_bits, "03020781", false},
    {"bits, 8 unused", read_bits, "03020800", false},
    {"bits, empty with unused", read_bits, "030101", false},
    {"whole bytes", read_bit_bytes, "030200ff", true},
    {"whole bytes, 1 unused", read_bit_bytes, "030201fe", false},
};

static void reads_elements_strictly(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(elements); i++) {
    bytes in = bytes_from_hex(elements[i].hex);
    tn_reader r = {in.p, in.n};
    bool good = elements[i].read(&r);
    if (good != elements[i].good) fail_msg("%s: %s", elements[i].what, good ? "accepted" : "refused");
    assert_int_equal(r.n, good ? 0 : in.n);  // a read that fails changes nothing
    bytes_free(&in);
  }
}

static void reads_long_contents(void **state) {
  (void)state;
  for (size_t n = 120; n < 70000; n = n * 5 / 4) {
    tn_writer w = tn_writer_growing(NULL, 1 << 20);
    size_t outer = tn_der_open(&w, TN_DER_SEQUENCE), inner = tn_der_open(&w, TN_DER_OCTET_STRING);
    for (size_t i = 0; i < n; i++) tn_write_u8(&w, (uint8_t)i);
    tn_der_close(&w, inner);
    tn_der_close(&w, outer);
    assert_ok(tn_writer_result(&w));
    tn_reader r = tn_reader_of(tn_writer_span(&w)), body;
    tn_span octets;
    assert_true(tn_der_enter(&r, TN_DER_SEQUENCE, &body) && r.n == 0);
    assert_true(tn_der_read(&body, TN_DER_OCTET_STRING, &octets) && body.n == 0);
    assert_int_equal(octets.n, n);
    for (size_t i = 0; i < n; i++) assert_int_equal(octets.p[i], (uint8_t)i);
    tn_writer_free(&w);
  }
}

static void a_full_writer_fails(void **state) {
  (void)state;
  uint8_t buf[200];
  for (size_t room = 0; room < 153; room++) {
    tn_writer w = tn_writer_fixed(buf, room);
    size_t at = tn_der_open(&w, TN_DER_OCTET_STRING);
    uint8_t zeros[150] = {0};
    tn_write_bytes(&w, zeros, sizeof zeros);
    tn_der_close(&w, at);
    assert_fails(tn_writer_result(&w), NO_SPACE);
  }
}

static void writes_small_values(void **state) {
  (void)state;
  static const struct {
    uint32_t v;
    const char *hex;
  } rows[] = {{0, "020100"},
              {1, "020101"},
              {127, "02017f"},
              {128, "02020080"},
              {255, "020200ff"},
              {256, "02020100"},
              {0x7fffff, "02037fffff"},
              {0x800000, "020400800000"},
              {UINT32_MAX, "020500ffffffff"}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    uint8_t buf[16];
    uint32_t back;
    tn_writer w = tn_writer_fixed(buf, sizeof buf);
    tn_der_write_small(&w, rows[i].v);
    bytes want = bytes_from_hex(rows[i].hex);
    assert_int_equal(w.len, want.n);
    assert_memory_equal(buf, want.p, want.n);
    tn_reader r = tn_reader_of(tn_writer_span(&w));
    assert_true(tn_der_read_small(&r, &back) && back == rows[i].v);
    bytes_free(&want);
  }
}

// KeyUsage's bits, and that trailing zero bits are not written (X.690 11.2.2).
static void writes_flags(void **state) {
  (void)state;
  static const struct {
    uint16_t flags;
    const char *hex;
  } rows[] = {{1, "03020780"}, {1 << 5 | 1 << 6, "03020106"}, {1 << 7, "03020001"}, {1 << 8, "0303070080"}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    uint8_t buf[16];
    tn_writer w = tn_writer_fixed(buf, sizeof buf);
    tn_der_write_flags(&w, rows[i].flags);
    bytes want = bytes_from_hex(rows[i].hex);
    assert_int_equal(w.len, want.n);
    assert_memory_equal(buf, want.p, want.n);
    bytes_free(&want);
  }
}

static void reads_times(void **state) {
  (void)state;
  static const struct {
    uint8_t tag;
    const char *text;
    int64_t time;  // -1: refused
  } rows[] = {
      {TN_DER_UTC_TIME, "700101000000Z", 0},
      {TN_DER_UTC_TIME, "491231235959Z", 2524607999},
      {TN_DER_UTC_TIME, "500101000000Z", -631152000},
      {TN_DER_UTC_TIME, "000229120000Z", 951825600},
      {TN_DER_UTC_TIME, "010229120000Z", -1},
      {TN_DER_UTC_TIME, "7001010000Z", -1},
      {TN_DER_UTC_TIME, "700101000000+0000", -1},
      {TN_DER_UTC_TIME, "700101000000", -1},
      {TN_DER_UTC_TIME, "700101000000z", -1},
      {TN_DER_UTC_TIME, "700101000000Z ", -1},
      {TN_DER_UTC_TIME, "700001000000Z", -1},
      {TN_DER_UTC_TIME, "701301000000Z", -1},
      {TN_DER_UTC_TIME, "700100000000Z", -1},
      {TN_DER_UTC_TIME, "700132000000Z", -1},
      {TN_DER_UTC_TIME, "700431000000Z", -1},
      {TN_DER_UTC_TIME, "700101240000Z", -1},
      {TN_DER_UTC_TIME, "700101006000Z", -1},
      {TN_DER_UTC_TIME, "700101000060Z", -1},
      {TN_DER_UTC_TIME, "7001010000 0Z", -1},
      {TN_DER_UTC_TIME, "-70101000000Z", -1},
      {TN_DER_GENERALIZED_TIME, "20500101000000Z", 2524608000},
      {TN_DER_GENERALIZED_TIME, "20200101000000Z", 1577836800},
      {TN_DER_GENERALIZED_TIME, "99991231235959Z", 253402300799},
      {TN_DER_GENERALIZED_TIME, "20500101000000.5Z", -1},
      {TN_DER_GENERALIZED_TIME, "205001010000Z", -1},
      {TN_DER_GENERALIZED_TIME, "21000229000000Z", -1},
      {TN_DER_OCTET_STRING, "700101000000Z", -1},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    uint8_t buf[64];
    tn_writer w = tn_writer_fixed(buf, sizeof buf);
    tn_der_write(&w, rows[i].tag, text_span(rows[i].text));
    tn_reader r = tn_reader_of(tn_writer_span(&w));
    int64_t t = -1;
    bool good = tn_der_read_time(&r, &t);
    if (good != (rows[i].time != -1) || t != rows[i].time) fail_msg("%s: %lld", rows[i].text, (long long)t);
  }
}

static void times_round_trip_and_agree_with_the_c_library(void **state) {
  (void)state;
  test_rng rng = {1};
  for (int i = 0; i < 20000; i++) {
    int64_t t = -631152000 + (int64_t)(test_rng_next(&rng) % UINT64_C(254033452800)), back = 0;
    time_t as_time_t = (time_t)t;
    struct tm tm;
    assert_non_null(gmtime_r(&as_time_t, &tm));
    char want[64], got[24];
    strftime(want, sizeof want, "%Y-%m-%d %H:%M:%S UTC", &tm);
    tn_time_text(t, got);
    assert_string_equal(got, want);
    uint8_t buf[32];
    tn_writer w = tn_writer_fixed(buf, sizeof buf);
    tn_der_write_time(&w, t);
    assert_int_equal(buf[0], tm.tm_year + 1900 < 2050 ? TN_DER_UTC_TIME : TN_DER_GENERALIZED_TIME);
    tn_reader r = tn_reader_of(tn_writer_span(&w));
    assert_true(tn_der_read_time(&r, &back));
    assert_int_equal(back, t);
  }
}

static void times_beyond_the_calendar_are_cut(void **state) {
  (void)state;
  char text[24];
  tn_time_text(INT64_MAX, text);
  assert_string_equal(text, "9999-12-31 23:59:59 UTC");
  tn_time_text(INT64_MIN, text);
  assert_string_equal(text, "0000-01-01 00:00:00 UTC");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_elements_strictly),
      cmocka_unit_test(reads_long_contents),
      cmocka_unit_test(a_full_writer_fails),
      cmocka_unit_test(writes_small_values),
      cmocka_unit_test(writes_flags),
      cmocka_unit_test(reads_times),
      cmocka_unit_test(times_round_trip_and_agree_with_the_c_library),
      cmocka_unit_test(times_beyond_the_calendar_are_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
