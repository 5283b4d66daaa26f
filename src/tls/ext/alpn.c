// application_layer_protocol_negotiation, RFC 7301.
#include "base/mem.h"
#include "tls/ext/extension.h"

// Protocols that stand in a ProtocolNameList: nobody's name is empty.
static bool next_protocol(tn_reader *list, tn_span *name) {
  tn_reader body;
  if (!tn_read_block8(list, &body) || body.n == 0) return false;
  *name = tn_reader_rest(&body);
  return true;
}

// The entry of the configuration's own list that equals `name`; empty if none does.
static tn_span ours(const tn_conn *c, tn_span name) {
  tn_reader list = {c->config->alpn.p, c->config->alpn.n};
  tn_span own;
  while (next_protocol(&list, &own))
    if (tn_span_equal_vartime(own, name)) return own;
  return (tn_span){NULL, 0};
}

static bool write(tn_conn *c, tn_where where, tn_writer *w) {
  if (where == TN_IN_CLIENT_HELLO ? c->config->alpn.n == 0 : c->alpn.n == 0) return false;
  tn_scope list = tn_write_open(w, 2);
  if (where == TN_IN_CLIENT_HELLO) {
    tn_write_bytes(w, c->config->alpn.p, c->config->alpn.n);
  } else {
    tn_scope name = tn_write_open(w, 1);
    tn_write_span(w, c->alpn);
    tn_write_close(w, name);
  }
  tn_write_close(w, list);
  return true;
}

// The first of our protocols that the client has.
static tn_result choose(tn_conn *c, tn_reader theirs) {
  tn_reader check = theirs;
  tn_span name, own;
  while (check.n != 0) TN_READ(next_protocol(&check, &name));
  if (c->config->alpn.n == 0) return tn_success();
  for (tn_reader list = {c->config->alpn.p, c->config->alpn.n}; next_protocol(&list, &own);)
    for (tn_reader left = theirs; next_protocol(&left, &name);)
      if (tn_span_equal_vartime(own, name)) {
        c->alpn = own;
        return tn_success();
      }
  return tn_fail(TN_E_NO_COMMON_PROTOCOL);
}

static tn_result read(tn_conn *c, tn_where where, tn_reader *body) {
  tn_reader list;
  TN_READ(tn_read_block16(body, &list) && list.n != 0);
  if (where == TN_IN_CLIENT_HELLO) return choose(c, list);
  tn_span name;
  TN_READ(next_protocol(&list, &name) && list.n == 0);
  c->alpn = ours(c, name);
  TN_ENSURE(c->alpn.n != 0, TN_E_BAD_PROTOCOL_CHOICE);
  return tn_success();
}

const tn_extension tn_ext_alpn = {
    .id = 16,
    .name = "application_layer_protocol_negotiation",
    .allowed = TN_IN_CLIENT_HELLO | TN_IN_ENCRYPTED,
    .write = write,
    .read = read,
};
