// NewSessionTicket, RFC 9846 section 4.7.1: checked and dropped, since nothing here resumes.
#include "tls/ext/extension.h"
#include "tls/msg/msg.h"

tn_result tn_take_new_session_ticket(tn_conn *c, tn_span message, tn_reader *body, tn_state *next) {
  (void)message;
  uint32_t lifetime, age_add;
  tn_reader nonce, ticket;
  tn_extension_set extensions;
  TN_READ(tn_read_u32(body, &lifetime) && tn_read_u32(body, &age_add));
  TN_READ(tn_read_block8(body, &nonce) && tn_read_block16(body, &ticket) && ticket.n != 0);
  TN_TRY(tn_extensions_collect(c, TN_IN_TICKET, body, &extensions));
  TN_AT_END(body);
  TN_TRY(tn_extensions_read(c, TN_IN_TICKET, &extensions));
  TN_TRY(tn_conn_count_useless(c));
  *next = TN_CLIENT_CONNECTED;
  return tn_success();
}
