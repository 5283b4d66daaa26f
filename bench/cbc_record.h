// A record of TLS 1.2 under CBC and HMAC, MAC-then-encrypt, as operations seal it: where its parts are, and the end of
// it that peers without records of their own put together.
#ifndef TN_BENCH_CBC_RECORD_H
#define TN_BENCH_CBC_RECORD_H

#include <string.h>

#include "base/bytes.h"
#include "crypto/cbc_hmac/cbc_hmac.h"
#include "way.h"

#define CBC_RECORDS 64         // that are opened in turn at most,
#define CBC_RECORDS_MAX 16384  // with so many bytes of text together
#define CBC_TEXT_AT 16         // the text in `in`, behind an IV; and in `out`, where it is opened
#define CBC_MAC_KEY_AT 32      // in the job's key; the cipher's comes first
#define CBC_SEALED_ROOM 128    // what a sealed record is longer than its text, at most

static inline const tn_cbc_hmac *cbc_pair(const bench_job *job) { return job->algorithm; }
static inline size_t cbc_block(const bench_job *job) { return cbc_pair(job)->cipher->block_len; }
static inline size_t cbc_mac_len(const bench_job *job) { return cbc_pair(job)->hash->digest_len; }

// IV, text, MAC, padding.
static inline size_t cbc_sealed_len(const bench_job *job) {
  const size_t block = cbc_block(job);
  return block + (job->size + cbc_mac_len(job) + block) / block * block;
}

static inline uint64_t cbc_n_records(const bench_job *job) {
  const size_t fitting = CBC_RECORDS_MAX / job->size;
  return fitting < CBC_RECORDS ? fitting : CBC_RECORDS;
}

// Record i to be opened.
static inline uint8_t *cbc_sealed_at(const bench_job *job, uint64_t i) { return job->in + i * cbc_sealed_len(job); }

typedef struct cbc_iv {
  uint8_t bytes[TN_CIPHER_MAX_BLOCK];
} cbc_iv;
static inline cbc_iv cbc_iv_of(uint64_t i) {
  cbc_iv iv = {{0}};
  tn_store_be64(iv.bytes, ~i);
  return iv;
}

// What the MAC covers before the text; `length` is that of the text.
typedef struct cbc_header {
  uint8_t bytes[13];
} cbc_header;
static inline cbc_header cbc_header_of(uint64_t i, size_t length) {
  cbc_header h = {{0, 0, 0, 0, 0, 0, 0, 0, 0x17, 3, 3, (uint8_t)(length >> 8), (uint8_t)length}};
  tn_store_be64(h.bytes, i);
  return h;
}

// The text's last, partial block, the MAC and the padding. Returns the length.
static inline size_t cbc_tail(const bench_job *job, const uint8_t *mac, uint8_t tail[CBC_SEALED_ROOM]) {
  const size_t block = cbc_block(job), partial = job->size % block, mac_len = cbc_mac_len(job);
  const size_t padding = block - (partial + mac_len) % block;
  memcpy(tail, job->in + CBC_TEXT_AT + job->size - partial, partial);
  memcpy(tail + partial, mac, mac_len);
  memset(tail + partial + mac_len, (int)padding - 1, padding);
  return partial + mac_len + padding;
}

#endif
