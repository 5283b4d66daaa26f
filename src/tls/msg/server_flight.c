// What a server answers a ClientHello with, in one flight: RFC 9846 section 2, figure 1.
#include "base/mem.h"
#include "tls/msg/msg.h"

static tn_result send_hello(tn_conn *c) {
  uint8_t random[32], secret[TN_GROUP_MAX_SECRET];
  TN_TRY(tn_random(&c->config->rng, random, sizeof random));
  tn_result r = c->group->answer(&c->config->rng, c->hs->chosen_share, c->hs->share_public, secret);
  if (tn_ok(r)) r = tn_send_server_hello(c, random);
  if (tn_ok(r)) r = tn_conn_flush_flight(c);
  if (tn_ok(r)) r = tn_conn_queue_compatibility(c);
  if (tn_ok(r)) r = tn_conn_enter_handshake_keys(c, (tn_span){secret, c->group->secret_len});
  tn_wipe(secret, sizeof secret);
  return r;
}

tn_result tn_send_server_flight(tn_conn *c) {
  TN_TRY(send_hello(c));
  TN_TRY(tn_send_encrypted_extensions(c));
  TN_TRY(tn_send_certificate(c, c->hs->identity));
  TN_TRY(tn_send_certificate_verify(c));
  TN_TRY(tn_send_finished(c));
  TN_TRY(tn_conn_flush_flight(c));
  TN_TRY(tn_conn_derive_application(c));
  return tn_conn_write_application(c);
}
