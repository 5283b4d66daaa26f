// signature_algorithms, RFC 9846 section 4.3.3.
#include "tls/ext/extension.h"

static bool write(tn_conn *c, tn_where where, tn_writer *w) {
  (void)c;
  if (where != TN_IN_CLIENT_HELLO) return false;
  tn_scope list = tn_write_open(w, 2);
  for (size_t i = 0; tn_sign_schemes[i] != NULL; i++)
    if (tn_sign_schemes[i]->id != 0 && !tn_sign_schemes[i]->is_weak) tn_write_u16(w, tn_sign_schemes[i]->id);
  tn_write_close(w, list);
  return true;
}

static tn_result read(tn_conn *c, tn_where where, tn_reader *body) {
  (void)where;
  tn_reader list;
  TN_READ(tn_read_block16(body, &list) && list.n != 0 && list.n % 2 == 0);
  c->hs->peer_schemes = 0;
  uint16_t id;
  while (tn_read_u16(&list, &id))
    for (size_t i = 0; tn_sign_schemes[i] != NULL; i++)
      if (tn_sign_schemes[i]->id == id && id != 0) c->hs->peer_schemes |= 1u << i;
  return tn_success();
}

const tn_extension tn_ext_signature_algorithms = {
    .id = 13,
    .name = "signature_algorithms",
    .allowed = TN_IN_CLIENT_HELLO | TN_IN_REQUEST,
    .required = TN_IN_CLIENT_HELLO | TN_IN_REQUEST,
    .write = write,
    .read = read,
};
