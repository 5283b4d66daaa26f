// The scripted peer's hellos.
#include "tls/msg/msg.h"
#include "tls/support/script.h"

// ---------------------------------------------------------------- extension lists

void ext_set_bytes(ext_list *l, uint16_t id, const void *p, size_t n) {
  size_t i = 0;
  while (i < l->n && l->at[i].id != id) i++;
  assert_true(i < EXT_MAX && n <= EXT_ROOM);
  if (i == l->n) l->n++;
  l->at[i].id = id;
  l->at[i].n = n;
  if (n != 0) memcpy(l->at[i].body, p, n);
}

void ext_set(ext_list *l, uint16_t id, const char *hex) {
  bytes body = bytes_from_hex(hex);
  ext_set_bytes(l, id, body.p, body.n);
  bytes_free(&body);
}

void ext_fill(ext_list *l, uint16_t id, size_t n) {
  static const uint8_t zeros[EXT_ROOM];
  ext_set_bytes(l, id, zeros, n);
}

void ext_add(ext_list *l, uint16_t id, const char *hex) {
  bytes body = bytes_from_hex(hex);
  assert_true(l->n < EXT_MAX && body.n <= EXT_ROOM);
  l->at[l->n].id = id;
  l->at[l->n].n = body.n;
  if (body.n != 0) memcpy(l->at[l->n].body, body.p, body.n);
  l->n++;
  bytes_free(&body);
}

size_t ext_find(const ext_list *l, uint16_t id) {
  for (size_t i = 0; i < l->n; i++)
    if (l->at[i].id == id) return i;
  fail_msg("no extension %u", id);
  return 0;
}

void ext_remove(ext_list *l, uint16_t id) {
  size_t i = ext_find(l, id);
  l->n--;
  memmove(&l->at[i], &l->at[i + 1], (l->n - i) * sizeof l->at[0]);
}

void ext_apply(ext_list *l, ext_operation op, uint16_t id, const char *hex) {
  if (op == SET) ext_set(l, id, hex);
  if (op == ADD) ext_add(l, id, hex);
  if (op == DROP) ext_remove(l, id);
  if (op == LAST) {
    uint8_t body[EXT_ROOM];
    size_t i = ext_find(l, id), n = l->at[i].n;
    memcpy(body, l->at[i].body, n);
    ext_remove(l, id);
    ext_set_bytes(l, id, body, n);
  }
}

static void write_all(const ext_list *l, tn_writer *w) {
  for (size_t i = 0; i < l->n; i++) {
    tn_write_u16(w, l->at[i].id);
    tn_write_u16(w, (uint16_t)l->at[i].n);
    tn_write_bytes(w, l->at[i].body, l->at[i].n);
  }
}

void ext_write(const ext_list *l, tn_writer *w) {
  tn_scope block = tn_write_open(w, 2);
  write_all(l, w);
  tn_write_close(w, block);
}

// ---------------------------------------------------------------- writing

static void write_hello(const hello *h, bool client, tn_writer *w) {
  tn_write_u16(w, h->version);
  tn_write_bytes(w, h->random, 32);
  tn_write_u8(w, (uint8_t)h->session_id_len);
  tn_write_bytes(w, h->session_id, h->session_id_len);
  if (client) tn_write_u16(w, (uint16_t)(2 * (int)h->n_suites + h->suites_excess));
  for (size_t i = 0; i < (client ? h->n_suites : 1); i++) tn_write_u16(w, h->suites[i]);
  if (client) tn_write_u8(w, (uint8_t)h->n_compression);
  tn_write_bytes(w, h->compression, h->n_compression);
  if (!h->no_extensions) {
    size_t at = w->len;
    ext_write(&h->ext, w);
    size_t length = (size_t)(w->buf[at] << 8 | w->buf[at + 1]) + (size_t)h->block_excess;
    w->buf[at] = (uint8_t)(length >> 8);
    w->buf[at + 1] = (uint8_t)length;
  }
  for (size_t i = 0; i < h->junk; i++) tn_write_u8(w, 0);
}

tn_result script_hello(script *s, const hello *h) {
  tn_writer w = tn_writer_growing(NULL, 1 << 20);
  bool client = s->role == TN_CLIENT;
  write_hello(h, client, &w);
  if (client) memcpy(s->random, h->random, 32);
  script_handshake(s, client ? TN_MSG_CLIENT_HELLO : TN_MSG_SERVER_HELLO, tn_writer_span(&w));
  tn_writer_free(&w);
  return s->result;
}

// ---------------------------------------------------------------- honest hellos

void hello_client(script *s, hello *h) {
  *h = (hello){.version = 0x0303, .session_id_len = 32, .n_suites = 3, .n_compression = 1};
  memset(h->random, 0x5a, 32);
  memset(h->session_id, 0xc3, 32);
  for (size_t i = 0; i < 3; i++) h->suites[i] = tn_suites[i].id;
  uint8_t body[EXT_ROOM];
  tn_writer w = tn_writer_fixed(body, sizeof body);
  assert_ok(s->group->generate(&tn_rng_fast, s->private_key, s->share));
  tn_scope list = tn_write_open(&w, 2);
  tn_write_u16(&w, s->group->id);
  tn_scope share = tn_write_open(&w, 2);
  tn_write_bytes(&w, s->share, s->group->client_share_len);
  tn_write_close(&w, share);
  tn_write_close(&w, list);
  ext_set(&h->ext, 0, "0011 00 000e 7365727665722e6578616d706c65");  // server.example
  ext_set(&h->ext, 10, "0008 001d 0017 0018 0019");
  ext_set(&h->ext, 13, "0002 0403");
  ext_set(&h->ext, 43, "02 0304");
  ext_set_bytes(&h->ext, 51, w.buf, w.len);
}

// Takes the engine's ClientHello and notes what an answer needs of it.
static void take_client_hello(script *s, tn_span *share) {
  tn_span message = script_take(s, TN_MSG_CLIENT_HELLO);
  tn_reader r = tn_reader_of(message), session_id, suites, compression, block, body, list, key;
  uint16_t version, id;
  uint8_t random[32];
  assert_true(tn_read_u16(&r, &version) && tn_read_copy(&r, random, 32) && tn_read_block8(&r, &session_id));
  assert_true(tn_read_block16(&r, &suites) && tn_read_block8(&r, &compression) && tn_read_block16(&r, &block));
  assert_int_equal(r.n, 0);
  assert_int_equal(session_id.n, 32);
  if (s->retried) {
    assert_memory_equal(random, s->random, 32);
    assert_memory_equal(session_id.p, s->session_id, 32);
  }
  memcpy(s->random, random, 32);
  s->session_id_len = session_id.n;
  memcpy(s->session_id, session_id.p, session_id.n);
  if (s->suite == NULL) {
    assert_true(tn_read_u16(&suites, &id));
    s->suite = tn_suite_find(id);
  }
  while (tn_read_u16(&block, &id) && tn_read_block16(&block, &body)) {
    if (id == 44) {
      assert_true(tn_read_block16(&body, &list) && body.n == 0 && list.n <= sizeof s->cookie);
      s->cookie_len = list.n;
      memcpy(s->cookie, list.p, list.n);
    }
    if (id != 51) continue;
    // The last: a hybrid's curve.
    assert_true(tn_read_block16(&body, &list) && list.n != 0);
    while (list.n != 0) assert_true(tn_read_u16(&list, &id) && tn_read_block16(&list, &key));
    s->group = tn_group_find(id);
    *share = tn_reader_rest(&key);
  }
  assert_non_null(s->suite);
  assert_non_null(s->group);
}

static void answer_base(script *s, hello *h) {
  *h = (hello){.version = 0x0303, .session_id_len = s->session_id_len, .n_suites = 1, .n_compression = 1};
  memcpy(h->session_id, s->session_id, s->session_id_len);
  h->suites[0] = s->suite->id;
  ext_set(&h->ext, 43, "0304");
}

void hello_server(script *s, hello *h) {
  tn_span theirs = {NULL, 0};
  take_client_hello(s, &theirs);
  answer_base(s, h);
  memset(h->random, 0xa5, 32);
  assert_ok(s->group->answer(&tn_rng_fast, theirs, s->share, s->secret));
  uint8_t body[EXT_ROOM];
  tn_writer w = tn_writer_fixed(body, sizeof body);
  tn_write_u16(&w, s->group->id);
  tn_write_u16(&w, s->group->server_share_len);
  tn_write_bytes(&w, s->share, s->group->server_share_len);
  ext_set_bytes(&h->ext, 51, w.buf, w.len);
}

void hello_retry(script *s, hello *h, uint16_t group) {
  tn_span theirs;
  take_client_hello(s, &theirs);
  tn_transcript_choose(&s->transcript, s->suite->hash);
  tn_transcript_retry(&s->transcript);
  s->retried = true;
  answer_base(s, h);
  memcpy(h->random, tn_retry_random, 32);
  const uint8_t body[] = {(uint8_t)(group >> 8), (uint8_t)group};
  ext_set_bytes(&h->ext, 51, body, sizeof body);
}
