// The handshake's messages, one file each: how it is sent, how it is taken, what it must obey.
// tn_take_*: handlers of the table in state.c. tn_send_*: write into the flight.
#ifndef TN_TLS_MSG_H
#define TN_TLS_MSG_H

#include "tls/state.h"

// A handler has read its message to the end before it acts on it.
#define TN_AT_END(reader) TN_ENSURE((reader)->n == 0, TN_E_TRAILING_BYTES)

TN_MUST_USE tn_result tn_send_client_hello(tn_conn *c);
tn_result tn_take_client_hello(tn_conn *c, tn_span message, tn_reader *body, tn_state *next);

// HelloRetryRequest's random, RFC 9846 section 4.2.3: SHA-256("HelloRetryRequest").
extern const uint8_t tn_retry_random[32];
// A ServerHello with this random: the true one or, with tn_retry_random, a HelloRetryRequest.
TN_MUST_USE tn_result tn_send_server_hello(tn_conn *c, const uint8_t random[32]);
tn_result tn_take_server_hello(tn_conn *c, tn_span message, tn_reader *body, tn_state *next);

// The server's whole answer, from the ServerHello to its Finished, once suite, group and identity are chosen.
TN_MUST_USE tn_result tn_send_server_flight(tn_conn *c);

TN_MUST_USE tn_result tn_send_encrypted_extensions(tn_conn *c);
tn_result tn_take_encrypted_extensions(tn_conn *c, tn_span message, tn_reader *body, tn_state *next);

tn_result tn_take_certificate_request(tn_conn *c, tn_span message, tn_reader *body, tn_state *next);

// The identity's chain, or an empty one for a NULL identity.
TN_MUST_USE tn_result tn_send_certificate(tn_conn *c, const tn_identity *identity);
tn_result tn_take_certificate(tn_conn *c, tn_span message, tn_reader *body, tn_state *next);

// Where in tn_sign_schemes the first scheme is that the client takes and the identity's key can sign with; at its end
// if there is none.
size_t tn_sign_scheme_rank(const tn_conn *c, const tn_identity *identity);
TN_MUST_USE tn_result tn_send_certificate_verify(tn_conn *c);
tn_result tn_take_certificate_verify(tn_conn *c, tn_span message, tn_reader *body, tn_state *next);

TN_MUST_USE tn_result tn_send_finished(tn_conn *c);
tn_result tn_take_finished(tn_conn *c, tn_span message, tn_reader *body, tn_state *next);

tn_result tn_take_new_session_ticket(tn_conn *c, tn_span message, tn_reader *body, tn_state *next);

TN_MUST_USE tn_result tn_send_key_update(tn_conn *c, bool ask_peer);
tn_result tn_take_key_update(tn_conn *c, tn_span message, tn_reader *body, tn_state *next);

#endif
