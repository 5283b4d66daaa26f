// Finished, RFC 9846 section 4.5.3, and what follows from it on either side.
#include "base/ct.h"
#include "base/mem.h"
#include "tls/msg/msg.h"

tn_result tn_send_finished(tn_conn *c) {
  tn_handshake *hs = c->hs;
  uint8_t mac[TN_HASH_MAX_DIGEST];
  TN_TRY(tn_finished_mac(c->suite->hash, c->role == TN_SERVER ? &hs->server_handshake : &hs->client_handshake,
                         &hs->transcript, mac));
  TN_PUBLIC(mac, c->suite->hash->digest_len);
  tn_scope message = tn_message_open(c, TN_MSG_FINISHED);
  tn_write_bytes(&hs->flight, mac, c->suite->hash->digest_len);
  return tn_message_close(c, message);
}

static tn_result check_mac(tn_conn *c, tn_reader *body) {
  tn_handshake *hs = c->hs;
  uint8_t mac[TN_HASH_MAX_DIGEST];
  tn_span theirs;
  TN_READ(tn_read_span(body, c->suite->hash->digest_len, &theirs));
  TN_AT_END(body);
  TN_TRY(tn_finished_mac(c->suite->hash, c->role == TN_SERVER ? &hs->client_handshake : &hs->server_handshake,
                         &hs->transcript, mac));
  TN_ENSURE(tn_ct_equal(mac, theirs.p, theirs.n), TN_E_BAD_FINISHED);
  hs->proved |= TN_PROVED_FINISHED;
  return tn_success();
}

// The client's last flight.
static tn_result answer(tn_conn *c) {
  TN_TRY(tn_conn_derive_application(c));
  TN_TRY(tn_conn_queue_compatibility(c));
  if (c->hs->certificate_requested) TN_TRY(tn_send_certificate(c, NULL));
  TN_TRY(tn_send_finished(c));
  TN_TRY(tn_conn_flush_flight(c));
  return tn_conn_write_application(c);
}

tn_result tn_take_finished(tn_conn *c, tn_span message, tn_reader *body, tn_state *next) {
  TN_TRY(check_mac(c, body));
  tn_transcript_add(&c->hs->transcript, message);
  if (c->role == TN_CLIENT) TN_TRY(answer(c));
  TN_TRY(tn_conn_read_application(c));
  *next = c->role == TN_CLIENT ? TN_CLIENT_CONNECTED : TN_SERVER_CONNECTED;
  return tn_conn_open(c);
}
