// Buffers of one size, lent to the streams of one loop while bytes are in them.
#ifndef TN_NET_POOL_H
#define TN_NET_POOL_H

#include <uv.h>

#include "tenon/tls.h"

// Four full records: one system call moves that much, and a peer's full records fill it exactly.
#define TN_BUFFER_SIZE (4 * (TN_RECORD_MAX_PLAINTEXT + TN_RECORD_OVERHEAD))

typedef struct tn_buffer {
  struct tn_buffer *next;
  size_t start;  // bytes[start..end) are in use
  size_t end;
  size_t sent;       // bytes[start..sent) are in the hands of `write`
  uv_write_t write;  // for the first of the buffers that are written together
  uint8_t bytes[TN_BUFFER_SIZE];
} tn_buffer;

// Zeroed is a valid empty pool.
typedef struct tn_pool {
  tn_buffer *free;
  size_t n_free;
} tn_pool;

// An empty buffer, or NULL when memory is out.
tn_buffer *tn_pool_take(tn_pool *pool);
void tn_pool_give(tn_pool *pool, tn_buffer *buffer);
void tn_pool_clear(tn_pool *pool);

#endif
