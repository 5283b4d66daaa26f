#include "tls/state.h"

#include "tls/msg/msg.h"

#define TO(state) (1u << (state))

// RFC 9846, appendix A.
static const tn_transition transitions[] = {
    // The server.
    {TN_SERVER_WAIT_CLIENT_HELLO, TN_MSG_CLIENT_HELLO, true, TN_MAX_HELLO, tn_take_client_hello,
     TO(TN_SERVER_WAIT_SECOND_HELLO) | TO(TN_SERVER_WAIT_FINISHED)},
    {TN_SERVER_WAIT_SECOND_HELLO, TN_MSG_CLIENT_HELLO, true, TN_MAX_HELLO, tn_take_client_hello,
     TO(TN_SERVER_WAIT_FINISHED)},
    {TN_SERVER_WAIT_FINISHED, TN_MSG_FINISHED, true, TN_SECRET_MAX, tn_take_finished, TO(TN_SERVER_CONNECTED)},
    {TN_SERVER_CONNECTED, TN_MSG_KEY_UPDATE, true, 1, tn_take_key_update, TO(TN_SERVER_CONNECTED)},
    // The client.
    {TN_CLIENT_WAIT_SERVER_HELLO, TN_MSG_SERVER_HELLO, true, TN_MAX_SMALL_MESSAGE, tn_take_server_hello,
     TO(TN_CLIENT_WAIT_RETRIED_HELLO) | TO(TN_CLIENT_WAIT_ENCRYPTED_EXTENSIONS)},
    {TN_CLIENT_WAIT_RETRIED_HELLO, TN_MSG_SERVER_HELLO, true, TN_MAX_SMALL_MESSAGE, tn_take_server_hello,
     TO(TN_CLIENT_WAIT_ENCRYPTED_EXTENSIONS)},
    {TN_CLIENT_WAIT_ENCRYPTED_EXTENSIONS, TN_MSG_ENCRYPTED_EXTENSIONS, false, TN_MAX_SMALL_MESSAGE,
     tn_take_encrypted_extensions, TO(TN_CLIENT_WAIT_CERTIFICATE_OR_REQUEST)},
    {TN_CLIENT_WAIT_CERTIFICATE_OR_REQUEST, TN_MSG_CERTIFICATE_REQUEST, false, TN_MAX_CERTIFICATE,
     tn_take_certificate_request, TO(TN_CLIENT_WAIT_CERTIFICATE)},
    {TN_CLIENT_WAIT_CERTIFICATE_OR_REQUEST, TN_MSG_CERTIFICATE, false, TN_MAX_CERTIFICATE, tn_take_certificate,
     TO(TN_CLIENT_WAIT_CERTIFICATE_VERIFY)},
    {TN_CLIENT_WAIT_CERTIFICATE, TN_MSG_CERTIFICATE, false, TN_MAX_CERTIFICATE, tn_take_certificate,
     TO(TN_CLIENT_WAIT_CERTIFICATE_VERIFY)},
    {TN_CLIENT_WAIT_CERTIFICATE_VERIFY, TN_MSG_CERTIFICATE_VERIFY, false, TN_MAX_SMALL_MESSAGE,
     tn_take_certificate_verify, TO(TN_CLIENT_WAIT_FINISHED)},
    {TN_CLIENT_WAIT_FINISHED, TN_MSG_FINISHED, true, TN_SECRET_MAX, tn_take_finished, TO(TN_CLIENT_CONNECTED)},
    {TN_CLIENT_CONNECTED, TN_MSG_NEW_SESSION_TICKET, false, TN_MAX_HELLO, tn_take_new_session_ticket,
     TO(TN_CLIENT_CONNECTED)},
    {TN_CLIENT_CONNECTED, TN_MSG_KEY_UPDATE, true, 1, tn_take_key_update, TO(TN_CLIENT_CONNECTED)},
};

const tn_transition *tn_transition_find(tn_state state, uint8_t message) {
  for (size_t i = 0; i < sizeof transitions / sizeof *transitions; i++)
    if (transitions[i].state == state && transitions[i].message == message) return &transitions[i];
  return NULL;
}

const tn_transition *tn_transitions(size_t *n) {
  *n = sizeof transitions / sizeof *transitions;
  return transitions;
}

const char *tn_state_name(tn_state state) {
  static const char *const names[TN_STATE_COUNT] = {
      [TN_STATE_NONE] = "nothing",
      [TN_SERVER_WAIT_CLIENT_HELLO] = "waiting for the ClientHello",
      [TN_SERVER_WAIT_SECOND_HELLO] = "waiting for the second ClientHello",
      [TN_SERVER_WAIT_FINISHED] = "waiting for the client's Finished",
      [TN_SERVER_CONNECTED] = "connected",
      [TN_CLIENT_WAIT_SERVER_HELLO] = "waiting for the ServerHello",
      [TN_CLIENT_WAIT_RETRIED_HELLO] = "waiting for the ServerHello after a retry",
      [TN_CLIENT_WAIT_ENCRYPTED_EXTENSIONS] = "waiting for EncryptedExtensions",
      [TN_CLIENT_WAIT_CERTIFICATE_OR_REQUEST] = "waiting for a Certificate or CertificateRequest",
      [TN_CLIENT_WAIT_CERTIFICATE] = "waiting for the Certificate",
      [TN_CLIENT_WAIT_CERTIFICATE_VERIFY] = "waiting for CertificateVerify",
      [TN_CLIENT_WAIT_FINISHED] = "waiting for the server's Finished",
      [TN_CLIENT_CONNECTED] = "connected",
  };
  return state < TN_STATE_COUNT && names[state] != NULL ? names[state] : "unknown";
}

uint8_t tn_proofs_needed(tn_role role) {
  static const uint8_t needed[] = {
      [TN_SERVER] = TN_PROVED_KEY_EXCHANGE | TN_PROVED_FINISHED,
      [TN_CLIENT] = TN_PROVED_KEY_EXCHANGE | TN_PROVED_CERTIFICATE | TN_PROVED_SIGNATURE | TN_PROVED_FINISHED,
  };
  return needed[role];
}
