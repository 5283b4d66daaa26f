// How a connection goes from no keys to handshake keys to application keys, and onwards by KeyUpdate.
#include "tls/conn.h"

tn_result tn_conn_enter_handshake_keys(tn_conn *c, tn_span shared_secret) {
  tn_handshake *hs = c->hs;
  TN_TRY(tn_schedule_start(&hs->schedule, c->suite->hash));
  TN_TRY(tn_schedule_handshake(&hs->schedule, shared_secret));
  TN_TRY(tn_schedule_derive(&hs->schedule, TN_STAGE_HANDSHAKE, "c hs traffic", &hs->transcript, &hs->client_handshake));
  TN_TRY(tn_schedule_derive(&hs->schedule, TN_STAGE_HANDSHAKE, "s hs traffic", &hs->transcript, &hs->server_handshake));
  bool server = c->role == TN_SERVER;
  TN_TRY(tn_protection_set(&c->read, c->suite, server ? &hs->client_handshake : &hs->server_handshake));
  TN_TRY(tn_protection_set(&c->write, c->suite, server ? &hs->server_handshake : &hs->client_handshake));
  hs->proved |= TN_PROVED_KEY_EXCHANGE;
  return tn_success();
}

tn_result tn_conn_derive_application(tn_conn *c) {
  tn_handshake *hs = c->hs;
  TN_TRY(tn_schedule_master(&hs->schedule));
  TN_TRY(tn_schedule_derive(&hs->schedule, TN_STAGE_MASTER, "c ap traffic", &hs->transcript, &hs->client_application));
  return tn_schedule_derive(&hs->schedule, TN_STAGE_MASTER, "s ap traffic", &hs->transcript, &hs->server_application);
}

tn_result tn_conn_read_application(tn_conn *c) {
  c->read_secret = c->role == TN_SERVER ? c->hs->client_application : c->hs->server_application;
  return tn_protection_set(&c->read, c->suite, &c->read_secret);
}

tn_result tn_conn_write_application(tn_conn *c) {
  c->write_secret = c->role == TN_SERVER ? c->hs->server_application : c->hs->client_application;
  return tn_protection_set(&c->write, c->suite, &c->write_secret);
}
