// server_name, RFC 6066 section 3. An IP address is verified, never sent.
#include "base/mem.h"
#include "pki/cert.h"
#include "tls/ext/extension.h"

enum { HOST_NAME = 0 };

static bool is_ip_address(tn_mspan name) {
  uint8_t address[16];
  return tn_ip_parse((tn_span){name.p, name.n}, address) != 0;
}

static bool write(tn_conn *c, tn_where where, tn_writer *w) {
  if (where == TN_IN_ENCRYPTED) return c->hs->name_recognized;  // an empty body
  if (c->server_name.n == 0 || is_ip_address(c->server_name)) return false;
  size_t n = c->server_name.n;
  if (c->server_name.p[n - 1] == '.') n--;  // HostName has no trailing dot
  if (n == 0) return false;
  tn_scope list = tn_write_open(w, 2);
  tn_write_u8(w, HOST_NAME);
  tn_scope name = tn_write_open(w, 2);
  tn_write_bytes(w, c->server_name.p, n);
  tn_write_close(w, name);
  tn_write_close(w, list);
  return true;
}

// A host name in ASCII that can go into a log.
static bool is_printable(tn_reader name) {
  for (size_t i = 0; i < name.n; i++)
    if (name.p[i] <= ' ' || name.p[i] > '~') return false;
  return true;
}

static tn_result read(tn_conn *c, tn_where where, tn_reader *body) {
  if (where == TN_IN_ENCRYPTED) return tn_success();  // must be empty: the caller checks that nothing is left
  tn_reader list, name;
  uint8_t type;
  TN_READ(tn_read_block16(body, &list));
  // One name: other types never came to be, and two of one type are forbidden.
  TN_READ(tn_read_u8(&list, &type) && tn_read_block16(&list, &name) && list.n == 0);
  TN_ENSURE(type == HOST_NAME, TN_E_DECODE);
  TN_READ(name.n >= 1 && name.n <= 255);
  TN_ENSURE(is_printable(name), TN_E_BAD_PARAMETER);
  if (c->server_name.p != NULL) return tn_success();  // a second ClientHello, which repeats it
  c->server_name = (tn_mspan){tn_duplicate(tn_conn_allocator(c), name.p, name.n), name.n};
  if (c->server_name.p == NULL) c->server_name.n = 0;
  TN_ENSURE(c->server_name.p != NULL, TN_E_NO_MEMORY);
  return tn_success();
}

const tn_extension tn_ext_server_name = {
    .id = 0,
    .name = "server_name",
    .allowed = TN_IN_CLIENT_HELLO | TN_IN_ENCRYPTED,
    .write = write,
    .read = read,
};
