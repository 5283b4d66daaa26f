// Secrets are gone from memory once they are of no use: when the handshake is over, when it fails, when keys are
// updated. An allocator that remembers what is in use makes all of a connection's memory searchable.
#include "base/bytes.h"
#include "tls/support/pair.h"

// ---------------------------------------------------------------- the allocator

typedef struct block {
  struct block *next;
  size_t n;
  _Alignas(16) uint8_t bytes[];
} block;

typedef struct heap {
  block *blocks;
  bool unwiped;  // something was released that was not all zeros
} heap;

static void *heap_allocate(void *ctx, size_t n) {
  heap *h = ctx;
  block *b = malloc(sizeof *b + n);
  *b = (block){h->blocks, n};
  h->blocks = b;
  return b->bytes;
}

static void heap_release(void *ctx, void *p, size_t n) {
  heap *h = ctx;
  block **at = &h->blocks;
  while (*at != NULL && (*at)->bytes != (uint8_t *)p) at = &(*at)->next;
  block *b = *at;
  assert_non_null(b);
  assert_int_equal(b->n, n);
  for (size_t i = 0; i < n; i++) h->unwiped |= b->bytes[i] != 0;
  *at = b->next;
  free(b);
}

static bool heap_has(const heap *h, const uint8_t *secret, size_t n) {
  for (const block *b = h->blocks; b != NULL; b = b->next)
    for (size_t i = 0; i + n <= b->n; i++)
      if (memcmp(b->bytes + i, secret, n) == 0) return true;
  return false;
}

// ---------------------------------------------------------------- secrets of a connection

#define MAX_SECRETS 16

typedef struct secrets {
  uint8_t bytes[MAX_SECRETS][32];
  size_t n;
} secrets;

static void keep(secrets *s, const void *p) {
  assert_true(s->n < MAX_SECRETS);
  memcpy(s->bytes[s->n++], p, 32);
}

static void keep_if(secrets *s, const tn_traffic_secret *secret) {
  if (secret->present) keep(s, secret->bytes);
}

// What the connection holds now and must not hold when the handshake is over.
static void keep_handshake(secrets *s, const tn_conn *c) {
  if (c->hs->schedule.stage != TN_STAGE_NONE) keep(s, c->hs->schedule.secret);
  keep_if(s, &c->hs->client_handshake);
  keep_if(s, &c->hs->server_handshake);
  if (c->role == TN_CLIENT && c->hs->schedule.stage == TN_STAGE_NONE) keep(s, c->hs->share_private);
}

static void keep_application(secrets *s, const tn_conn *c) {
  if (c->hs != NULL) keep_if(s, &c->hs->client_application);
  if (c->hs != NULL) keep_if(s, &c->hs->server_application);
  keep_if(s, &c->read_secret);
  keep_if(s, &c->write_secret);
}

static void assert_gone(const heap *h, const secrets *s) {
  assert_true(s->n != 0);
  for (size_t i = 0; i < s->n; i++) assert_false(heap_has(h, s->bytes[i], sizeof s->bytes[i]));
  assert_false(h->unwiped);
}

// One side lives in `h`, the other in the C library's memory.
static void make(pair *p, heap *h, tn_role role) {
  const tn_allocator a = {heap_allocate, heap_release, h};
  tn_config *other;
  pair_make(p, NULL);
  assert_ok(tn_config_new(role, &a, &other));
  tn_config **config = role == TN_CLIENT ? &p->client_config : &p->server_config;
  if (role == TN_CLIENT) {
    assert_ok(tn_config_set_trust(other, p->pki.trust));
    assert_ok(tn_config_set_clock(other, p->client_config->now, p->client_config->now_ctx));
  } else {
    assert_ok(tn_config_add_identity(other, p->pki.identity));
  }
  tn_config_unref(*config);
  *config = other;
  pair_connect(p);
}

// The next record for `to`, taken out of what `from` has to say. False if there is none.
static bool step(tn_conn *from, tn_conn *to, tn_writer *wire, size_t *at) {
  drain(from, wire);
  if (*at == wire->len) return false;
  size_t n = 5 + ((size_t)wire->buf[*at + 3] << 8 | wire->buf[*at + 4]);
  assert_ok(feed(to, (tn_span){wire->buf + *at, n}, NULL));
  *at += n;
  return true;
}

// A record that is an error in every state.
static void spoil(tn_conn *c) {
  static const uint8_t bad[] = {23, 3, 3, 0, 1, 0};
  assert_false(tn_ok(feed(c, (tn_span){bad, sizeof bad}, NULL)));
}

// After each record of a handshake, on either side, the connection fails.
static void a_failure_leaves_no_secret(void **state) {
  (void)state;
  for (int role = TN_CLIENT; role <= TN_SERVER; role++)
    for (unsigned records = 0, more = true; more; records++) {
      heap h = {0};
      pair p;
      make(&p, &h, (tn_role)role);
      tn_conn *c = role == TN_CLIENT ? p.client : p.server;
      tn_writer up = tn_writer_growing(NULL, 1 << 16), down = tn_writer_growing(NULL, 1 << 16);
      size_t up_at = 0, down_at = 0;
      for (unsigned i = 0; i < records && more; i++)
        more = step(p.client, p.server, &up, &up_at) || step(p.server, p.client, &down, &down_at);
      secrets s = {0};
      if (c->hs != NULL) keep_handshake(&s, c);
      keep_application(&s, c);
      for (size_t i = 0; i < s.n; i++) assert_true(heap_has(&h, s.bytes[i], 32));
      spoil(c);
      if (s.n != 0) assert_gone(&h, &s);
      assert_null(c->hs);
      tn_writer_free(&up);
      tn_writer_free(&down);
      pair_free(&p);
      assert_null(h.blocks);
      assert_false(h.unwiped);
    }
}

static void a_handshake_leaves_no_secret(void **state) {
  (void)state;
  for (int role = TN_CLIENT; role <= TN_SERVER; role++) {
    heap h = {0};
    pair p;
    make(&p, &h, (tn_role)role);
    secrets s = {0};
    if (role == TN_CLIENT) keep_handshake(&s, p.client);
    tn_writer wire = tn_writer_growing(NULL, 1 << 16);
    drain(p.client, &wire);
    assert_ok(feed(p.server, tn_writer_span(&wire), NULL));
    keep_handshake(&s, p.server);
    pair_handshake(&p);
    assert_gone(&h, &s);
    // Nor do updates leave the keys before them.
    tn_conn *c = role == TN_CLIENT ? p.client : p.server;
    s = (secrets){0};
    keep_application(&s, c);
    for (size_t i = 0; i < s.n; i++) assert_true(heap_has(&h, s.bytes[i], 32));
    assert_ok(tn_conn_update_keys(c, true));
    assert_ok(pair_run(&p));
    assert_gone(&h, &s);
    tn_writer_free(&wire);
    pair_free(&p);
    assert_null(h.blocks);
    assert_false(h.unwiped);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_failure_leaves_no_secret),
      cmocka_unit_test(a_handshake_leaves_no_secret),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
