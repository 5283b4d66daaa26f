// key_share, RFC 9846 section 4.3.8.
#include <string.h>

#include "tls/ext/extension.h"

static void write_share(tn_writer *w, const tn_group *group, const uint8_t *share, size_t n) {
  tn_write_u16(w, group->id);
  tn_scope body = tn_write_open(w, 2);
  tn_write_bytes(w, share, n);
  tn_write_close(w, body);
}

// A hybrid group comes with its curve's own share, the same key, for servers that do not know the hybrid; but a retry
// that asks for a group gets that alone.
static const tn_group *second_group(const tn_conn *c) {
  const tn_group *tail = c->hs->share_group->tail;
  return tail == NULL || c->hs->retry_group != NULL ? NULL : tn_config_group(c->config, tail->id);
}

static bool write(tn_conn *c, tn_where where, tn_writer *w) {
  tn_handshake *hs = c->hs;
  if (where == TN_IN_RETRY) {
    tn_write_u16(w, hs->retry_group->id);
  } else if (where == TN_IN_SERVER_HELLO) {
    write_share(w, c->group, hs->share_public, c->group->server_share_len);
  } else {
    const tn_group *first = hs->share_group, *second = second_group(c);
    tn_scope list = tn_write_open(w, 2);
    write_share(w, first, hs->share_public, first->client_share_len);
    if (second != NULL) {
      const size_t n = second->client_share_len;
      write_share(w, second, hs->share_public + first->client_share_len - n, n);
    }
    tn_write_close(w, list);
  }
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
  const tn_group *second = second_group(c);
  if (second != NULL && id == second->id) {
    tn_handshake *hs = c->hs;
    memmove(hs->share_private, hs->share_private + hs->share_group->private_len - second->private_len,
            second->private_len);
    hs->share_group = second;
  }
  TN_ENSURE(id == c->hs->share_group->id, TN_E_BAD_GROUP);
  c->hs->chosen_share = tn_reader_rest(&share);
  return tn_success();
}

static tn_result read_retry_group(tn_conn *c, tn_reader *body) {
  uint16_t id;
  TN_READ(tn_read_u16(body, &id));
  const tn_group *group = tn_config_group(c->config, id);
  TN_ENSURE(group != NULL, TN_E_BAD_GROUP);
  TN_ENSURE(group != c->hs->share_group && group != second_group(c), TN_E_BAD_RETRY);
  c->hs->retry_group = group;
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
