// EncryptedExtensions, RFC 9846 section 4.4.1.
#include "tls/ext/extension.h"
#include "tls/msg/msg.h"

tn_result tn_send_encrypted_extensions(tn_conn *c) {
  tn_scope message = tn_message_open(c, TN_MSG_ENCRYPTED_EXTENSIONS);
  TN_TRY(tn_extensions_write(c, TN_IN_ENCRYPTED, &c->hs->flight));
  return tn_message_close(c, message);
}

tn_result tn_take_encrypted_extensions(tn_conn *c, tn_span message, tn_reader *body, tn_state *next) {
  tn_extension_set extensions;
  TN_TRY(tn_extensions_collect(c, TN_IN_ENCRYPTED, body, &extensions));
  TN_AT_END(body);
  TN_TRY(tn_extensions_read(c, TN_IN_ENCRYPTED, &extensions));
  tn_transcript_add(&c->hs->transcript, message);
  *next = TN_CLIENT_WAIT_CERTIFICATE_OR_REQUEST;
  return tn_success();
}
