// A bounded reader and a bounded writer. No parser in the house touches a raw pointer and length
// any other way. All integers are big-endian, as on the wire.
#ifndef TN_BASE_BYTES_H
#define TN_BASE_BYTES_H

#include "tenon/base.h"

// ---------------------------------------------------------------- reader
// A value: copy it to look ahead or to backtrack. A read that fails changes nothing.
typedef struct tn_reader {
  const uint8_t *p;
  size_t n;  // bytes left
} tn_reader;

static inline tn_reader tn_reader_of(tn_span s) { return (tn_reader){s.p, s.n}; }
static inline tn_span tn_reader_rest(const tn_reader *r) { return (tn_span){r->p, r->n}; }

TN_MUST_USE static inline bool tn_read_span(tn_reader *r, size_t n, tn_span *out) {
  if (r->n < n) return false;
  *out = (tn_span){r->p, n};
  if (n != 0) r->p += n;
  r->n -= n;
  return true;
}

TN_MUST_USE bool tn_read_u8(tn_reader *r, uint8_t *out);
TN_MUST_USE bool tn_read_u16(tn_reader *r, uint16_t *out);
TN_MUST_USE bool tn_read_u24(tn_reader *r, uint32_t *out);
TN_MUST_USE bool tn_read_u32(tn_reader *r, uint32_t *out);
TN_MUST_USE bool tn_read_u64(tn_reader *r, uint64_t *out);
TN_MUST_USE bool tn_read_copy(tn_reader *r, void *out, size_t n);
// A vector behind a length of 1, 2 or 3 bytes. The caller reads `out` to its end.
TN_MUST_USE bool tn_read_block8(tn_reader *r, tn_reader *out);
TN_MUST_USE bool tn_read_block16(tn_reader *r, tn_reader *out);
TN_MUST_USE bool tn_read_block24(tn_reader *r, tn_reader *out);

// ---------------------------------------------------------------- writer
// Writes into memory of a fixed size or into memory that grows up to a limit. The first write that
// does not fit sets `failed`; later ones do nothing; the end asks tn_writer_result() once.
typedef struct tn_writer {
  uint8_t *buf;
  size_t len;
  size_t cap;
  size_t limit;                   // cap may grow to this
  const tn_allocator *allocator;  // for a growing writer
  bool grows;
  bool failed;
  uint16_t reason;  // of the failure
} tn_writer;

// A writer over the caller's memory.
tn_writer tn_writer_fixed(void *buf, size_t cap);
// A writer over memory that it allocates (a NULL allocator is the C library's), at most `limit` bytes.
// tn_writer_free() wipes and releases it.
tn_writer tn_writer_growing(const tn_allocator *a, size_t limit);
void tn_writer_free(tn_writer *w);
// Forgets (and wipes) the contents, keeps the memory.
void tn_writer_clear(tn_writer *w);

void tn_write_u8(tn_writer *w, uint8_t v);
void tn_write_u16(tn_writer *w, uint16_t v);
void tn_write_u24(tn_writer *w, uint32_t v);
void tn_write_u32(tn_writer *w, uint32_t v);
void tn_write_u64(tn_writer *w, uint64_t v);
void tn_write_bytes(tn_writer *w, const void *p, size_t n);
static inline void tn_write_span(tn_writer *w, tn_span s) { tn_write_bytes(w, s.p, s.n); }
// n bytes for the caller to fill before the next write; NULL when they do not fit.
uint8_t *tn_write_space(tn_writer *w, size_t n);

// A length-prefixed scope: what is written between open and close is counted in the prefix.
typedef struct tn_scope {
  size_t at;
  uint8_t width;
} tn_scope;
tn_scope tn_write_open(tn_writer *w, unsigned width);  // width: 1, 2 or 3 bytes
void tn_write_close(tn_writer *w, tn_scope s);         // fails the writer if the length does not fit its prefix

static inline tn_span tn_writer_span(const tn_writer *w) { return (tn_span){w->buf, w->len}; }
// Success, or the reason (TN_E_NO_SPACE, TN_E_NO_MEMORY) why something was not written.
TN_MUST_USE tn_result tn_writer_result(const tn_writer *w);

// ---------------------------------------------------------------- words in memory
static inline uint32_t tn_load_be32(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
static inline uint64_t tn_load_be64(const uint8_t *p) { return (uint64_t)tn_load_be32(p) << 32 | tn_load_be32(p + 4); }
static inline void tn_store_be32(uint8_t *p, uint32_t v) {
  p[0] = (uint8_t)(v >> 24), p[1] = (uint8_t)(v >> 16), p[2] = (uint8_t)(v >> 8), p[3] = (uint8_t)v;
}
static inline void tn_store_be64(uint8_t *p, uint64_t v) {
  tn_store_be32(p, (uint32_t)(v >> 32));
  tn_store_be32(p + 4, (uint32_t)v);
}
static inline uint32_t tn_load_le32(const uint8_t *p) {
  return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}
static inline uint64_t tn_load_le64(const uint8_t *p) { return (uint64_t)tn_load_le32(p + 4) << 32 | tn_load_le32(p); }
static inline void tn_store_le32(uint8_t *p, uint32_t v) {
  p[0] = (uint8_t)v, p[1] = (uint8_t)(v >> 8), p[2] = (uint8_t)(v >> 16), p[3] = (uint8_t)(v >> 24);
}
static inline void tn_store_le64(uint8_t *p, uint64_t v) {
  tn_store_le32(p, (uint32_t)v);
  tn_store_le32(p + 4, (uint32_t)(v >> 32));
}

#endif
