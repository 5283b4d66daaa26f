// key_share, RFC 9846 section 4.3.8.
#include "tls/ext/extension.h"

static bool write(tn_conn *c, tn_where where, tn_writer *w) {
  tn_handshake *hs = c->hs;
  if (where == TN_IN_RETRY) {
    tn_write_u16(w, hs->retry_group->id);
    return true;
  }
  tn_scope list = {0};
  if (where == TN_IN_CLIENT_HELLO) list = tn_write_open(w, 2);
  tn_write_u16(w, where == TN_IN_CLIENT_HELLO ? hs->share_group->id : c->group->id);
  tn_scope share = tn_write_open(w, 2);
  tn_write_bytes(w, hs->share_public,
                 where == TN_IN_CLIENT_HELLO ? hs->share_group->client_share_len : c->group->server_share_len);
  tn_write_close(w, share);
  if (where == TN_IN_CLIENT_HELLO) tn_write_close(w, list);
  return true;
}

// Keeps the client's shares for the choice of a group. A share for a group that the client does not support, or a
// second one for a group, is illegal; of groups that are not ours we cannot and need not tell.
static tn_result read_client_shares(tn_conn *c, tn_reader *body) {
  tn_reader list;
  TN_READ(tn_read_block16(body, &list));
  c->hs->peer_shares = tn_reader_rest(&list);
  uint32_t seen = 0;
  while (list.n != 0) {
    uint16_t id;
    tn_reader share;
    TN_READ(tn_read_u16(&list, &id) && tn_read_block16(&list, &share) && share.n != 0);
    for (size_t i = 0; i < c->config->n_groups; i++) {
      if (c->config->groups[i]->id != id) continue;
      TN_ENSURE(!(seen >> i & 1) && c->hs->peer_groups >> i & 1, TN_E_BAD_KEY_SHARE);
      seen |= 1u << i;
    }
  }
  return tn_success();
}

static tn_result read_server_share(tn_conn *c, tn_reader *body) {
  uint16_t id;
  tn_reader share;
  TN_READ(tn_read_u16(body, &id) && tn_read_block16(body, &share) && share.n != 0);
  TN_ENSURE(id == c->hs->share_group->id, TN_E_BAD_GROUP);
  c->hs->chosen_share = tn_reader_rest(&share);
  return tn_success();
}

static tn_result read_retry_group(tn_conn *c, tn_reader *body) {
  uint16_t id;
  TN_READ(tn_read_u16(body, &id));
  c->hs->retry_group = tn_config_group(c->config, id);
  TN_ENSURE(c->hs->retry_group != NULL, TN_E_BAD_GROUP);
  TN_ENSURE(c->hs->retry_group != c->hs->share_group, TN_E_BAD_RETRY);
  return tn_success();
}

static tn_result read(tn_conn *c, tn_where where, tn_reader *body) {
  switch (where) {
    case TN_IN_CLIENT_HELLO:
      return read_client_shares(c, body);
    case TN_IN_SERVER_HELLO:
      return read_server_share(c, body);
    default:
      return read_retry_group(c, body);
  }
}

const tn_extension tn_ext_key_share = {
    .id = 51,
    .name = "key_share",
    .allowed = TN_IN_CLIENT_HELLO | TN_IN_SERVER_HELLO | TN_IN_RETRY,
    .required = TN_IN_CLIENT_HELLO | TN_IN_SERVER_HELLO,
    .write = write,
    .read = read,
};
