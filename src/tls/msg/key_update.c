// KeyUpdate, RFC 9846 section 4.7.3.
#include "tls/msg/msg.h"

enum { UPDATE_NOT_REQUESTED = 0, UPDATE_REQUESTED = 1 };

tn_result tn_send_key_update(tn_conn *c, bool ask_peer) {
  const uint8_t message[] = {TN_MSG_KEY_UPDATE, 0, 0, 1, ask_peer ? UPDATE_REQUESTED : UPDATE_NOT_REQUESTED};
  TN_TRY(tn_conn_queue_record(c, TN_CONTENT_HANDSHAKE, (tn_span){message, sizeof message}));
  TN_TRY(tn_traffic_update(c->suite->hash, &c->write_secret));
  return tn_protection_set(&c->write, c->suite, &c->write_secret);
}

tn_result tn_take_key_update(tn_conn *c, tn_span message, tn_reader *body, tn_state *next) {
  (void)message;
  uint8_t request;
  TN_READ(tn_read_u8(body, &request));
  TN_AT_END(body);
  TN_ENSURE(request <= UPDATE_REQUESTED, TN_E_BAD_PARAMETER);
  if (!c->key_update_asked) TN_TRY(tn_conn_count_useless(c));
  c->key_update_asked = false;
  TN_TRY(tn_traffic_update(c->suite->hash, &c->read_secret));
  TN_TRY(tn_protection_set(&c->read, c->suite, &c->read_secret));
  *next = c->state;
  // One answer is enough for all requests that arrive before it leaves; after close_notify nothing is said.
  if (request != UPDATE_REQUESTED || c->key_update_answered || c->status & TN_CONN_CLOSED) return tn_success();
  c->key_update_answered = true;
  return tn_send_key_update(c, false);
}
