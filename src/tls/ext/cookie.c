// cookie, RFC 9846 section 4.3.2: echoed by the client; our server keeps its state and never sends one.
#include "base/mem.h"
#include "tls/ext/extension.h"

static bool write(tn_conn *c, tn_where where, tn_writer *w) {
  if (where != TN_IN_CLIENT_HELLO || c->hs->cookie.n == 0) return false;
  tn_scope cookie = tn_write_open(w, 2);
  tn_write_bytes(w, c->hs->cookie.p, c->hs->cookie.n);
  tn_write_close(w, cookie);
  return true;
}

static tn_result read(tn_conn *c, tn_where where, tn_reader *body) {
  tn_reader cookie;
  TN_READ(tn_read_block16(body, &cookie) && cookie.n != 0);
  if (where == TN_IN_CLIENT_HELLO) return tn_success();
  c->hs->cookie = (tn_mspan){tn_duplicate(tn_conn_allocator(c), cookie.p, cookie.n), cookie.n};
  if (c->hs->cookie.p == NULL) c->hs->cookie.n = 0;
  TN_ENSURE(c->hs->cookie.p != NULL, TN_E_NO_MEMORY);
  return tn_success();
}

const tn_extension tn_ext_cookie = {
    .id = 44,
    .name = "cookie",
    .allowed = TN_IN_CLIENT_HELLO | TN_IN_RETRY,
    .unsolicited = TN_IN_RETRY,
    .write = write,
    .read = read,
};
