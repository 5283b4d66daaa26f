// early_data, RFC 9846 section 4.3.10. We neither send nor accept early data; a server has to skip it, though, when a
// client with somebody else's ticket sends it.
#include "tls/ext/extension.h"

// What is skipped at most: more than any client sends without knowing our limit.
#define MAX_SKIPPED 32768

static bool write(tn_conn *c, tn_where where, tn_writer *w) {
  (void)c, (void)where, (void)w;
  return false;
}

static tn_result read(tn_conn *c, tn_where where, tn_reader *body) {
  if (where == TN_IN_TICKET) {
    uint32_t max_size;
    TN_READ(tn_read_u32(body, &max_size));
    return tn_success();
  }
  // After a retry there is none (section 4.3.10).
  TN_ENSURE(!c->retried, TN_E_HELLO_CHANGED);
  c->hs->early_data_allowance = MAX_SKIPPED;
  return tn_success();
}

const tn_extension tn_ext_early_data = {
    .id = 42,
    .name = "early_data",
    .allowed = TN_IN_CLIENT_HELLO | TN_IN_ENCRYPTED | TN_IN_TICKET,
    .write = write,
    .read = read,
};
