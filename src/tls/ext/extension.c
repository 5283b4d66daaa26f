#include "tls/ext/extension.h"

const tn_extension *const tn_extensions[TN_EXT_COUNT] = {
    [TN_EXT_SERVER_NAME] = &tn_ext_server_name,
    [TN_EXT_SUPPORTED_GROUPS] = &tn_ext_supported_groups,
    [TN_EXT_SIGNATURE_ALGORITHMS] = &tn_ext_signature_algorithms,
    [TN_EXT_ALPN] = &tn_ext_alpn,
    [TN_EXT_KEY_SHARE] = &tn_ext_key_share,
    [TN_EXT_SUPPORTED_VERSIONS] = &tn_ext_supported_versions,
    [TN_EXT_COOKIE] = &tn_ext_cookie,
    [TN_EXT_EARLY_DATA] = &tn_ext_early_data,
};

// Messages whose extensions answer those of ours: nothing else may stand in them.
#define ANSWERS (TN_IN_SERVER_HELLO | TN_IN_RETRY | TN_IN_ENCRYPTED | TN_IN_CERTIFICATE)

// Section 4.3.11: the last extension of a ClientHello, since its binders cover what precedes it. We know no PSK, and
// look at nothing else of it.
enum { PRE_SHARED_KEY = 41 };

static unsigned row_of(uint16_t id) {
  unsigned row = 0;
  while (row < TN_EXT_COUNT && tn_extensions[row]->id != id) row++;
  return row;
}

// Which numbers have been seen, a bit each: as many extensions as a peer likes cost no more than their bytes.
typedef struct {
  uint64_t words[65536 / 64];
} id_set;

static bool put(id_set *seen, uint16_t id) {
  uint64_t *word = &seen->words[id / 64], bit = 1ull << id % 64;
  bool is_new = !(*word & bit);
  *word |= bit;
  return is_new;
}

tn_result tn_extensions_collect(tn_conn *c, tn_where where, tn_reader *message, tn_extension_set *set) {
  *set = (tn_extension_set){0};
  id_set seen = {0};
  bool after_psk = false;
  tn_reader block;
  TN_READ(tn_read_block16(message, &block));
  while (block.n != 0) {
    uint16_t id;
    tn_reader body;
    TN_READ(tn_read_u16(&block, &id) && tn_read_block16(&block, &body));
    TN_ENSURE(put(&seen, id), TN_E_DUPLICATE_EXTENSION);
    TN_ENSURE(!after_psk, TN_E_EXTENSION_NOT_ALLOWED);
    after_psk = where == TN_IN_CLIENT_HELLO && id == PRE_SHARED_KEY;
    unsigned row = row_of(id);
    if (row == TN_EXT_COUNT) {
      TN_ENSURE(!(where & ANSWERS), TN_E_EXTENSION_NOT_OFFERED);
      continue;
    }
    const tn_extension *e = tn_extensions[row];
    bool offered = !(where & ANSWERS) || where & e->unsolicited || c->hs->extensions_sent >> row & 1;
    TN_ENSURE(offered, TN_E_EXTENSION_NOT_OFFERED);
    TN_ENSURE(e->allowed & where, TN_E_EXTENSION_NOT_ALLOWED);
    set->present |= 1ull << row;
    set->body[row] = tn_reader_rest(&body);
  }
  return tn_success();
}

static tn_result read_row(tn_conn *c, tn_where where, const tn_extension_set *set, unsigned row) {
  tn_reader body = tn_reader_of(set->body[row]);
  TN_TRY(tn_extensions[row]->read(c, where, &body));
  TN_ENSURE(body.n == 0, TN_E_TRAILING_BYTES);
  return tn_success();
}

tn_result tn_extension_read_one(tn_conn *c, tn_where where, tn_extension_set *set, unsigned row) {
  if (!tn_extension_in(set, row)) return tn_success();
  TN_TRY(read_row(c, where, set, row));
  set->present &= ~(1ull << row);
  return tn_success();
}

tn_result tn_extensions_read(tn_conn *c, tn_where where, tn_extension_set *set) {
  for (unsigned row = 0; row < TN_EXT_COUNT; row++)
    TN_ENSURE(!(tn_extensions[row]->required & where) || set->body[row].p != NULL, TN_E_EXTENSION_MISSING);
  for (unsigned row = 0; row < TN_EXT_COUNT; row++)
    if (tn_extension_in(set, row)) TN_TRY(read_row(c, where, set, row));
  return tn_success();
}

tn_result tn_has_supported_versions(tn_reader message, bool *has) {
  *has = false;
  if (message.n == 0) return tn_success();
  tn_reader block;
  TN_READ(tn_read_block16(&message, &block));
  while (block.n != 0) {
    uint16_t id;
    tn_reader body;
    TN_READ(tn_read_u16(&block, &id) && tn_read_block16(&block, &body));
    *has |= id == tn_ext_supported_versions.id;
  }
  return tn_success();
}

tn_result tn_extensions_write(tn_conn *c, tn_where where, tn_writer *w) {
  tn_scope block = tn_write_open(w, 2);
  for (unsigned row = 0; row < TN_EXT_COUNT; row++) {
    const tn_extension *e = tn_extensions[row];
    if (!(e->allowed & where)) continue;
    size_t start = w->len;
    tn_write_u16(w, e->id);
    tn_scope body = tn_write_open(w, 2);
    if (e->write(c, where, w)) {
      tn_write_close(w, body);
      if (where == TN_IN_CLIENT_HELLO) c->hs->extensions_sent |= 1ull << row;
    } else if (!w->failed) {
      w->len = start;
    }
  }
  tn_write_close(w, block);
  return tn_writer_result(w);
}
