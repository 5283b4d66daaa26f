#include "base/bytes.h"
#include "base/mem.h"
#include "support/support.h"

static void reads_every_width(void **state) {
  (void)state;
  static const uint8_t in[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};
  tn_reader r = tn_reader_of(tn_span_of(in, sizeof in));
  uint8_t a;
  uint16_t b;
  uint32_t c, d;
  uint64_t e;
  assert_true(tn_read_u8(&r, &a) && a == 0x01);
  assert_true(tn_read_u16(&r, &b) && b == 0x0203);
  assert_true(tn_read_u24(&r, &c) && c == 0x040506);
  assert_true(tn_read_u32(&r, &d) && d == 0x0708090a);
  assert_true(tn_read_u64(&r, &e) && e == 0x0b0c0d0e0f101112);
  assert_int_equal(r.n, 0);
  assert_false(tn_read_u8(&r, &a));
}

// A read that does not fit fails and leaves the reader as it was, for every width and every shortage.
static void refuses_short_input(void **state) {
  (void)state;
  static const uint8_t in[8] = {0, 0, 5, 0, 0, 5, 0, 0};
  for (size_t n = 0; n < 8; n++) {
    tn_reader r = {in, n}, block;
    uint8_t a;
    uint16_t b;
    uint32_t c;
    uint64_t e;
    tn_span s;
    if (n < 1) assert_false(tn_read_u8(&r, &a));
    if (n < 2) assert_false(tn_read_u16(&r, &b));
    if (n < 3) assert_false(tn_read_u24(&r, &c));
    if (n < 4) assert_false(tn_read_u32(&r, &c));
    assert_false(tn_read_u64(&r, &e));
    assert_false(tn_read_span(&r, n + 1, &s));
    assert_false(tn_read_span(&r, SIZE_MAX, &s));
    if (n < 8) assert_false(tn_read_block24(&r, &block));
    assert_ptr_equal(r.p, in);
    assert_int_equal(r.n, n);
  }
}

static void reads_blocks_whole_or_not_at_all(void **state) {
  (void)state;
  static const uint8_t in[] = {2, 0xaa, 0xbb, 0, 1, 0xcc, 0, 0, 0, 9, 1};
  tn_reader r = tn_reader_of(tn_span_of(in, sizeof in)), block;
  assert_true(tn_read_block8(&r, &block));
  assert_int_equal(block.n, 2);
  assert_int_equal(block.p[1], 0xbb);
  assert_true(tn_read_block16(&r, &block));
  assert_int_equal(block.n, 1);
  assert_true(tn_read_block24(&r, &block));
  assert_int_equal(block.n, 0);
  assert_false(tn_read_block8(&r, &block));  // announces 9, has 1
  assert_int_equal(r.n, 2);
}

static void writes_nested_scopes(void **state) {
  (void)state;
  uint8_t buf[16];
  tn_writer w = tn_writer_fixed(buf, sizeof buf);
  tn_scope outer = tn_write_open(&w, 3);
  tn_write_u8(&w, 7);
  tn_scope inner = tn_write_open(&w, 2);
  tn_write_u16(&w, 0x0102);
  tn_write_close(&w, inner);
  tn_write_close(&w, outer);
  assert_ok(tn_writer_result(&w));
  static const uint8_t want[] = {0, 0, 5, 7, 0, 2, 1, 2};
  assert_int_equal(w.len, sizeof want);
  assert_memory_equal(buf, want, sizeof want);
}

static void a_scope_too_long_for_its_prefix_fails(void **state) {
  (void)state;
  tn_writer w = tn_writer_growing(NULL, 1000);
  tn_scope s = tn_write_open(&w, 1);
  assert_non_null(tn_write_space(&w, 256));
  tn_write_close(&w, s);
  assert_fails(tn_writer_result(&w), NO_SPACE);
  tn_writer_free(&w);
}

static void a_full_writer_stays_failed_and_writes_nothing_more(void **state) {
  (void)state;
  uint8_t buf[4] = {0, 0, 0, 0xee};
  tn_writer w = tn_writer_fixed(buf, 3);
  tn_write_u16(&w, 1);
  tn_write_u16(&w, 2);
  tn_write_u8(&w, 3);
  assert_fails(tn_writer_result(&w), NO_SPACE);
  assert_int_equal(w.len, 2);
  assert_int_equal(buf[2], 0);
  assert_int_equal(buf[3], 0xee);
}

static void a_growing_writer_keeps_its_contents_up_to_its_limit(void **state) {
  (void)state;
  tn_writer w = tn_writer_growing(NULL, 5000);
  for (unsigned i = 0; i < 5000; i++) tn_write_u8(&w, (uint8_t)(i * 7));
  assert_ok(tn_writer_result(&w));
  for (unsigned i = 0; i < 5000; i++) assert_int_equal(w.buf[i], (uint8_t)(i * 7));
  tn_write_u8(&w, 0);
  assert_fails(tn_writer_result(&w), NO_SPACE);
  tn_writer_free(&w);
}

typedef struct {
  size_t held, calls, fail_at;
} counting;

static void *count_alloc(void *ctx, size_t n) {
  counting *c = ctx;
  if (++c->calls == c->fail_at) return NULL;
  c->held += n;
  return malloc(n);
}

static void count_release(void *ctx, void *p, size_t n) {
  counting *c = ctx;
  for (size_t i = 0; i < n; i++) assert_int_equal(((uint8_t *)p)[i], 0);  // wiped
  c->held -= n;
  free(p);
}

static void a_growing_writer_survives_a_failed_allocation(void **state) {
  (void)state;
  for (size_t fail_at = 1; fail_at <= 4; fail_at++) {
    counting c = {.fail_at = fail_at};
    tn_allocator a = {count_alloc, count_release, &c};
    tn_writer w = tn_writer_growing(&a, 4096);
    for (unsigned i = 0; i < 2048; i++) tn_write_u8(&w, 0xab);
    assert_fails(tn_writer_result(&w), NO_MEMORY);
    tn_writer_free(&w);
    assert_int_equal(c.held, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_every_width),
      cmocka_unit_test(refuses_short_input),
      cmocka_unit_test(reads_blocks_whole_or_not_at_all),
      cmocka_unit_test(writes_nested_scopes),
      cmocka_unit_test(a_scope_too_long_for_its_prefix_fails),
      cmocka_unit_test(a_full_writer_stays_failed_and_writes_nothing_more),
      cmocka_unit_test(a_growing_writer_keeps_its_contents_up_to_its_limit),
      cmocka_unit_test(a_growing_writer_survives_a_failed_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
