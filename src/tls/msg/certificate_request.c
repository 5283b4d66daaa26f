// CertificateRequest, RFC 9846 section 4.4.2. A client without an identity answers with an empty Certificate.
#include "tls/ext/extension.h"
#include "tls/msg/msg.h"

tn_result tn_take_certificate_request(tn_conn *c, tn_span message, tn_reader *body, tn_state *next) {
  tn_reader context;
  tn_extension_set extensions;
  TN_READ(tn_read_block8(body, &context));
  TN_ENSURE(context.n == 0, TN_E_BAD_PARAMETER);  // it may be used after the handshake only
  TN_TRY(tn_extensions_collect(c, TN_IN_REQUEST, body, &extensions));
  TN_AT_END(body);
  TN_TRY(tn_extensions_read(c, TN_IN_REQUEST, &extensions));
  c->hs->certificate_requested = true;
  tn_transcript_add(&c->hs->transcript, message);
  *next = TN_CLIENT_WAIT_CERTIFICATE;
  return tn_success();
}
