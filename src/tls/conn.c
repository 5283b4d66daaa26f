#include "tls/conn.h"

#include <stdio.h>

#include "base/mem.h"
#include "tls/msg/msg.h"
#include "tls/state.h"

void tn_conn_end_handshake(tn_conn *c) {
  if (c->hs == NULL) return;
  tn_release(tn_conn_allocator(c), c->hs->cookie.p, c->hs->cookie.n);
  tn_writer_free(&c->hs->flight);
  tn_release(tn_conn_allocator(c), c->hs, sizeof *c->hs);
  c->hs = NULL;
}

tn_result tn_conn_open(tn_conn *c) {
  uint8_t needed = tn_proofs_needed(c->role);
  TN_ENSURE((c->hs->proved & needed) == needed, TN_E_BAD_STATE);
  c->status |= TN_CONN_OPEN;
  c->peer_may_compat = false;
  c->useless_records = 0;
  tn_conn_end_handshake(c);
  return tn_success();
}

static tn_result start(tn_conn *c, tn_span server_name) {
  c->hs = tn_alloc(tn_conn_allocator(c), sizeof *c->hs);
  TN_ENSURE(c->hs != NULL, TN_E_NO_MEMORY);
  tn_transcript_init(&c->hs->transcript);
  c->hs->flight = tn_writer_growing(tn_conn_allocator(c), TN_MAX_OUT);
  if (server_name.n != 0) {
    c->server_name = (tn_mspan){tn_duplicate(tn_conn_allocator(c), server_name.p, server_name.n), server_name.n};
    TN_ENSURE(c->server_name.p != NULL, TN_E_NO_MEMORY);
  }
  if (c->role == TN_SERVER) {
    c->state = TN_SERVER_WAIT_CLIENT_HELLO;
    return tn_success();
  }
  c->state = TN_CLIENT_WAIT_SERVER_HELLO;
  c->peer_may_compat = true;
  return tn_send_client_hello(c);
}

tn_result tn_conn_new(tn_config *config, tn_span server_name, tn_conn **out) {
  *out = NULL;
  bool client = config->role == TN_CLIENT;
  // A client knows whom it wants, or says that it does not care.
  TN_ENSURE(client ? server_name.n != 0 || config->insecure : server_name.n == 0, TN_E_BAD_ARGUMENT);
  TN_ENSURE(server_name.n <= 255 && (server_name.n == 0 || server_name.p != NULL), TN_E_BAD_ARGUMENT);
  TN_ENSURE(!client || config->trust != NULL || config->insecure, TN_E_BAD_ARGUMENT);
  TN_ENSURE(client || tn_identity_table_default(&config->identities) != NULL, TN_E_NO_IDENTITY);
  tn_conn *c = tn_alloc(config->allocator, sizeof *c);
  TN_ENSURE(c != NULL, TN_E_NO_MEMORY);
  atomic_store_explicit(&config->frozen, true, memory_order_relaxed);
  c->config = tn_config_ref(config);
  c->role = config->role;
  c->error = tn_success();
  c->reassembly = tn_writer_growing(config->allocator, TN_MESSAGE_HEADER + TN_MAX_CERTIFICATE);
  c->out = tn_writer_growing(config->allocator, TN_MAX_OUT);
  tn_result r = start(c, server_name);
  if (!tn_ok(r)) {
    tn_conn_free(c);
    return r;
  }
  *out = c;
  return tn_success();
}

void tn_conn_free(tn_conn *c) {
  if (c == NULL) return;
  const tn_allocator *a = tn_conn_allocator(c);
  tn_config *config = c->config;
  tn_conn_end_handshake(c);
  tn_protection_wipe(&c->read);
  tn_protection_wipe(&c->write);
  tn_writer_free(&c->reassembly);
  tn_writer_free(&c->out);
  tn_release(a, c->server_name.p, c->server_name.n);
  tn_release(a, c->peer_chain.p, c->peer_chain.n);
  tn_release(a, c->detail, TN_DETAIL_LEN);
  tn_release(a, c, sizeof *c);
  tn_config_unref(config);
}

tn_result tn_conn_count_useless(tn_conn *c) {
  TN_ENSURE(++c->useless_records <= TN_MAX_USELESS_RECORDS, TN_E_TOO_MANY_EMPTY_RECORDS);
  return tn_success();
}

void tn_conn_set_detail(tn_conn *c, const char *text) {
  if (c->detail == NULL) c->detail = tn_alloc(tn_conn_allocator(c), TN_DETAIL_LEN);
  if (c->detail != NULL) snprintf(c->detail, TN_DETAIL_LEN, "%s", text);
}

unsigned tn_conn_status(const tn_conn *c) {
  return c->status | (c->out_sent < c->out.len ? (unsigned)TN_CONN_PENDING : 0);
}

tn_result tn_conn_error(const tn_conn *c) { return c->error; }

void tn_conn_get_info(const tn_conn *c, tn_conn_info *info) {
  *info = (tn_conn_info){.alpn = c->alpn,
                         .server_name = {c->server_name.p, c->server_name.n},
                         .retried = c->retried,
                         .verified = c->verified};
  if (c->suite != NULL) {
    info->version = "TLSv1.3";
    info->suite = c->suite->name;
    info->suite_id = c->suite->id;
  }
  if (c->group != NULL) {
    info->group = c->group->name;
    info->group_id = c->group->id;
  }
  if (c->scheme != NULL) info->signature = c->scheme->name;
  while (tn_conn_peer_cert(c, info->n_peer_chain).n != 0) info->n_peer_chain++;
}

tn_span tn_conn_peer_cert(const tn_conn *c, size_t i) {
  tn_reader chain = {c->peer_chain.p, c->peer_chain.n}, cert;
  for (; tn_read_block24(&chain, &cert); i--)
    if (i == 0) return tn_reader_rest(&cert);
  return (tn_span){NULL, 0};
}
