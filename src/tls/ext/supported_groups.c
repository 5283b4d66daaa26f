// supported_groups, RFC 9846 section 4.3.7. We send it in ClientHello; a server's own list in EncryptedExtensions is
// for later connections and says nothing about this one.
#include "tls/ext/extension.h"

static bool write(tn_conn *c, tn_where where, tn_writer *w) {
  if (where != TN_IN_CLIENT_HELLO) return false;
  tn_scope list = tn_write_open(w, 2);
  for (size_t i = 0; i < c->config->n_groups; i++) tn_write_u16(w, c->config->groups[i]->id);
  tn_write_close(w, list);
  return true;
}

static tn_result read(tn_conn *c, tn_where where, tn_reader *body) {
  tn_reader list;
  TN_READ(tn_read_block16(body, &list) && list.n != 0 && list.n % 2 == 0);
  if (where != TN_IN_CLIENT_HELLO) return tn_success();
  c->hs->peer_groups = 0;
  uint16_t id;
  while (tn_read_u16(&list, &id))
    for (size_t i = 0; i < c->config->n_groups; i++)
      if (c->config->groups[i]->id == id) c->hs->peer_groups |= 1u << i;
  return tn_success();
}

const tn_extension tn_ext_supported_groups = {
    .id = 10,
    .name = "supported_groups",
    .allowed = TN_IN_CLIENT_HELLO | TN_IN_ENCRYPTED,
    .required = TN_IN_CLIENT_HELLO,
    .write = write,
    .read = read,
};
