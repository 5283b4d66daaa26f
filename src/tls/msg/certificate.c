// Certificate, RFC 9846 section 4.5.1.
#include "base/mem.h"
#include "tls/ext/extension.h"
#include "tls/msg/msg.h"

// Longer chains are refused before any of them is looked at.
#define MAX_CHAIN 16

tn_result tn_send_certificate(tn_conn *c, const tn_identity *identity) {
  tn_writer *w = &c->hs->flight;
  tn_scope message = tn_message_open(c, TN_MSG_CERTIFICATE);
  tn_write_u8(w, 0);  // certificate_request_context
  tn_scope list = tn_write_open(w, 3);
  for (size_t i = 0; identity != NULL && i < tn_identity_chain_len(identity); i++) {
    tn_scope entry = tn_write_open(w, 3);
    tn_write_span(w, tn_identity_chain_der(identity, i));
    tn_write_close(w, entry);
    tn_write_u16(w, 0);  // no extensions
  }
  tn_write_close(w, list);
  return tn_message_close(c, message);
}

// Reads the entries into spans over the message; *n starts at 0.
static tn_result parse(tn_conn *c, tn_reader *body, tn_span chain[MAX_CHAIN], size_t *n) {
  tn_reader context, list;
  TN_READ(tn_read_block8(body, &context) && tn_read_block24(body, &list));
  TN_AT_END(body);
  TN_ENSURE(context.n == 0, TN_E_BAD_PARAMETER);
  TN_ENSURE(list.n != 0, TN_E_CERT_MISSING);
  for (; list.n != 0; ++*n) {
    tn_reader cert;
    tn_extension_set extensions;
    TN_READ(tn_read_block24(&list, &cert) && cert.n != 0);
    TN_TRY(tn_extensions_collect(c, TN_IN_CERTIFICATE, &list, &extensions));
    TN_ENSURE(*n < MAX_CHAIN, TN_E_CERT_TOO_MUCH_WORK);
    chain[*n] = tn_reader_rest(&cert);
  }
  return tn_success();
}

// Copies the chain, which outlives the message; the spans go over to the copy.
static tn_result keep(tn_conn *c, tn_span *chain, size_t n) {
  size_t total = 0;
  for (size_t i = 0; i < n; i++) total += 3 + chain[i].n;
  c->peer_chain = (tn_mspan){tn_alloc(tn_conn_allocator(c), total), total};
  if (c->peer_chain.p == NULL) c->peer_chain.n = 0;
  TN_ENSURE(c->peer_chain.p != NULL, TN_E_NO_MEMORY);
  tn_writer w = tn_writer_fixed(c->peer_chain.p, total);
  for (size_t i = 0; i < n; i++) {
    tn_scope entry = tn_write_open(&w, 3);
    tn_write_span(&w, chain[i]);
    chain[i].p = w.buf + w.len - chain[i].n;
    tn_write_close(&w, entry);
  }
  return tn_writer_result(&w);
}

static tn_result verify(tn_conn *c, const tn_span *chain, size_t n) {
  const tn_config *config = c->config;
  if (config->insecure) return tn_success();
  tn_verify_params params = {
      .trust = config->trust,
      .now = config->now(config->now_ctx),
      .purpose = TN_PURPOSE_SERVER,
      .name = {c->server_name.p, c->server_name.n},
      .n_chain = n,
      .chain = chain,
  };
  tn_verdict verdict = {0};
  tn_result r = tn_verify(&params, &verdict);
  if (!tn_ok(r)) tn_conn_set_detail(c, verdict.text);
  TN_TRY(r);
  c->verified = true;
  return tn_success();
}

tn_result tn_take_certificate(tn_conn *c, tn_span message, tn_reader *body, tn_state *next) {
  tn_span chain[MAX_CHAIN];
  size_t n = 0;
  TN_TRY(parse(c, body, chain, &n));
  TN_TRY(keep(c, chain, n));
  TN_TRY(tn_cert_parse(&c->hs->leaf, chain[0]));
  TN_TRY(verify(c, chain, n));
  c->hs->proved |= TN_PROVED_CERTIFICATE;
  tn_transcript_add(&c->hs->transcript, message);
  *next = TN_CLIENT_WAIT_CERTIFICATE_VERIFY;
  return tn_success();
}
