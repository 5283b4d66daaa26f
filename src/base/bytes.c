#include "base/bytes.h"

#include <string.h>

#include "base/mem.h"

// ---------------------------------------------------------------- reader

static bool read_be(tn_reader *r, unsigned width, uint64_t *out) {
  tn_span s;
  if (!tn_read_span(r, width, &s)) return false;
  uint64_t v = 0;
  for (unsigned i = 0; i < width; i++) v = v << 8 | s.p[i];
  *out = v;
  return true;
}

bool tn_read_u8(tn_reader *r, uint8_t *out) {
  uint64_t v;
  if (!read_be(r, 1, &v)) return false;
  *out = (uint8_t)v;
  return true;
}

bool tn_read_u16(tn_reader *r, uint16_t *out) {
  uint64_t v;
  if (!read_be(r, 2, &v)) return false;
  *out = (uint16_t)v;
  return true;
}

bool tn_read_u24(tn_reader *r, uint32_t *out) {
  uint64_t v;
  if (!read_be(r, 3, &v)) return false;
  *out = (uint32_t)v;
  return true;
}

bool tn_read_u32(tn_reader *r, uint32_t *out) {
  uint64_t v;
  if (!read_be(r, 4, &v)) return false;
  *out = (uint32_t)v;
  return true;
}

bool tn_read_u64(tn_reader *r, uint64_t *out) { return read_be(r, 8, out); }

bool tn_read_copy(tn_reader *r, void *out, size_t n) {
  tn_span s;
  if (!tn_read_span(r, n, &s)) return false;
  tn_copy(out, s.p, n);
  return true;
}

static bool read_block(tn_reader *r, unsigned width, tn_reader *out) {
  tn_reader at = *r;
  uint64_t n;
  tn_span body;
  if (!read_be(&at, width, &n) || !tn_read_span(&at, (size_t)n, &body)) return false;
  *out = tn_reader_of(body);
  *r = at;
  return true;
}

bool tn_read_block8(tn_reader *r, tn_reader *out) { return read_block(r, 1, out); }
bool tn_read_block16(tn_reader *r, tn_reader *out) { return read_block(r, 2, out); }
bool tn_read_block24(tn_reader *r, tn_reader *out) { return read_block(r, 3, out); }

// ---------------------------------------------------------------- writer

#define FIRST_GROWTH 256

tn_writer tn_writer_fixed(void *buf, size_t cap) { return (tn_writer){.buf = buf, .cap = cap, .limit = cap}; }

tn_writer tn_writer_growing(const tn_allocator *a, size_t limit) {
  return (tn_writer){.limit = limit, .allocator = a, .grows = true};
}

void tn_writer_free(tn_writer *w) {
  if (w->grows) tn_release(w->allocator, w->buf, w->cap);
  *w = (tn_writer){0};
}

void tn_writer_clear(tn_writer *w) {
  tn_wipe(w->buf, w->len);
  w->len = 0;
  w->failed = false;
}

static uint8_t *fail(tn_writer *w, tn_reason reason) {
  w->failed = true;
  w->reason = (uint16_t)reason;
  return NULL;
}

// Precondition: n <= limit - len, so nothing below overflows.
static bool grow(tn_writer *w, size_t n) {
  size_t cap = w->cap < FIRST_GROWTH ? FIRST_GROWTH : w->cap;
  while (cap < w->len + n) cap = cap > w->limit / 2 ? w->limit : cap * 2;
  if (cap > w->limit) cap = w->limit;
  uint8_t *larger = tn_alloc(w->allocator, cap);
  if (larger == NULL) return false;
  tn_copy(larger, w->buf, w->len);
  tn_release(w->allocator, w->buf, w->cap);
  w->buf = larger;
  w->cap = cap;
  return true;
}

uint8_t *tn_write_space(tn_writer *w, size_t n) {
  if (w->failed) return NULL;
  if (n > w->limit - w->len) return fail(w, TN_E_NO_SPACE);
  if (n > w->cap - w->len && !(w->grows && grow(w, n))) return fail(w, w->grows ? TN_E_NO_MEMORY : TN_E_NO_SPACE);
  uint8_t *at = w->buf == NULL ? NULL : w->buf + w->len;
  w->len += n;
  return at;
}

static void put_be(uint8_t *p, unsigned width, uint64_t v) {
  for (unsigned i = 0; i < width; i++) p[i] = (uint8_t)(v >> (8 * (width - 1 - i)));
}

static void write_be(tn_writer *w, unsigned width, uint64_t v) {
  uint8_t *p = tn_write_space(w, width);
  if (p != NULL) put_be(p, width, v);
}

void tn_write_u8(tn_writer *w, uint8_t v) { write_be(w, 1, v); }
void tn_write_u16(tn_writer *w, uint16_t v) { write_be(w, 2, v); }
void tn_write_u24(tn_writer *w, uint32_t v) { write_be(w, 3, v); }
void tn_write_u32(tn_writer *w, uint32_t v) { write_be(w, 4, v); }
void tn_write_u64(tn_writer *w, uint64_t v) { write_be(w, 8, v); }

void tn_write_bytes(tn_writer *w, const void *p, size_t n) {
  uint8_t *to = tn_write_space(w, n);
  if (to != NULL) tn_copy(to, p, n);
}

tn_scope tn_write_open(tn_writer *w, unsigned width) {
  tn_scope s = {w->len, (uint8_t)width};
  write_be(w, width, 0);
  return s;
}

void tn_write_close(tn_writer *w, tn_scope s) {
  if (w->failed) return;
  size_t n = w->len - s.at - s.width;
  if (n >> (8 * s.width) != 0) {
    fail(w, TN_E_NO_SPACE);
    return;
  }
  put_be(w->buf + s.at, s.width, n);
}

tn_result tn_writer_result(const tn_writer *w) { return w->failed ? tn_fail((tn_reason)w->reason) : tn_success(); }
