// supported_versions, RFC 9846 section 4.3.1.
#include "tls/ext/extension.h"

static bool write(tn_conn *c, tn_where where, tn_writer *w) {
  (void)c;
  if (where != TN_IN_CLIENT_HELLO) {
    tn_write_u16(w, TN_VERSION_1_3);
    return true;
  }
  tn_scope list = tn_write_open(w, 1);
  tn_write_u16(w, TN_VERSION_1_3);
  tn_write_close(w, list);
  return true;
}

static tn_result read(tn_conn *c, tn_where where, tn_reader *body) {
  uint16_t version;
  if (where != TN_IN_CLIENT_HELLO) {
    TN_READ(tn_read_u16(body, &version) && body->n == 0);
    TN_ENSURE_ALERT(version == TN_VERSION_1_3, TN_E_BAD_VERSION, TN_ALERT_ILLEGAL_PARAMETER);
    return tn_success();
  }
  tn_reader list;
  TN_READ(tn_read_block8(body, &list) && list.n != 0 && list.n % 2 == 0);
  while (tn_read_u16(&list, &version))
    if (version == TN_VERSION_1_3) c->hs->peer_has_1_3 = true;
  return tn_success();
}

const tn_extension tn_ext_supported_versions = {
    .id = 43,
    .name = "supported_versions",
    .allowed = TN_IN_CLIENT_HELLO | TN_IN_SERVER_HELLO | TN_IN_RETRY,
    .write = write,
    .read = read,
};
