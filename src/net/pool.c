#include "net/pool.h"

#include "net/memory.h"

// Free buffers kept for the next who needs one (4 MiB).
#define KEPT 64

tn_buffer *tn_pool_take(tn_pool *pool) {
  tn_buffer *b = pool->free;
  if (b == NULL) return tn_net_alloc(sizeof *b);
  pool->free = b->next;
  pool->n_free--;
  b->next = NULL;
  b->start = b->end = b->sent = 0;
  return b;
}

void tn_pool_give(tn_pool *pool, tn_buffer *buffer) {
  if (pool->n_free == KEPT) {
    tn_net_release(buffer, sizeof *buffer);
    return;
  }
  buffer->next = pool->free;
  pool->free = buffer;
  pool->n_free++;
}

void tn_pool_clear(tn_pool *pool) {
  for (tn_buffer *b = pool->free, *next; b != NULL; b = next) {
    next = b->next;
    tn_net_release(b, sizeof *b);
  }
  *pool = (tn_pool){0};
}
