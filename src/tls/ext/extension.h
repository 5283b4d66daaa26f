// Extensions, RFC 9846 section 4.3: one descriptor each, in a table that says where each may stand and where it must.
#ifndef TN_TLS_EXTENSION_H
#define TN_TLS_EXTENSION_H

#include "tls/conn.h"

// The messages that carry extensions, as bits.
typedef enum tn_where {
  TN_IN_CLIENT_HELLO = 1 << 0,
  TN_IN_SERVER_HELLO = 1 << 1,
  TN_IN_RETRY = 1 << 2,  // HelloRetryRequest
  TN_IN_ENCRYPTED = 1 << 3,
  TN_IN_CERTIFICATE = 1 << 4,
  TN_IN_REQUEST = 1 << 5,  // CertificateRequest
  TN_IN_TICKET = 1 << 6,   // NewSessionTicket
} tn_where;

typedef struct tn_extension {
  uint16_t id;
  const char *name;
  uint8_t allowed;      // tn_where bits: anywhere else it is illegal_parameter
  uint8_t required;     // tn_where bits: its absence is missing_extension
  uint8_t unsolicited;  // tn_where bits: where an answer needs no offer
  // Writes the body; false if there is nothing to say in this message.
  bool (*write)(tn_conn *c, tn_where where, tn_writer *w);
  // Takes the body, to its end.
  tn_result (*read)(tn_conn *c, tn_where where, tn_reader *body);
} tn_extension;

// Rows of the table, in the order in which they are read: key_share looks at what supported_groups said.
enum {
  TN_EXT_SERVER_NAME,
  TN_EXT_SUPPORTED_GROUPS,
  TN_EXT_SIGNATURE_ALGORITHMS,
  TN_EXT_ALPN,
  TN_EXT_KEY_SHARE,
  TN_EXT_SUPPORTED_VERSIONS,
  TN_EXT_COOKIE,
  TN_EXT_EARLY_DATA,
  TN_EXT_COUNT,
};

extern const tn_extension *const tn_extensions[TN_EXT_COUNT];

// The extensions of one message: which are there, and their bodies in the message.
typedef struct tn_extension_set {
  uint64_t present;  // bits by row
  tn_span body[TN_EXT_COUNT];
} tn_extension_set;

static inline bool tn_extension_in(const tn_extension_set *set, unsigned row) { return set->present >> row & 1; }

// Reads the block behind its two bytes of length: finds duplicates, extensions that may not stand here and answers to
// what was not offered. Nothing of their contents is looked at.
TN_MUST_USE tn_result tn_extensions_collect(tn_conn *c, tn_where where, tn_reader *message, tn_extension_set *set);
// One extension of the set to its reader, if it is there; it is not read again by tn_extensions_read.
TN_MUST_USE tn_result tn_extension_read_one(tn_conn *c, tn_where where, tn_extension_set *set, unsigned row);
// All that are left in the set to their readers, in the table's order, after a check that the required ones were there.
TN_MUST_USE tn_result tn_extensions_read(tn_conn *c, tn_where where, tn_extension_set *set);

// Whether a message's extension block has supported_versions: a ServerHello without it is an older version's, whose
// extensions follow other rules. No block at all is allowed there; a malformed one is TN_E_DECODE.
TN_MUST_USE tn_result tn_has_supported_versions(tn_reader message, bool *has);

// Writes the block behind its two bytes of length.
TN_MUST_USE tn_result tn_extensions_write(tn_conn *c, tn_where where, tn_writer *w);

extern const tn_extension tn_ext_server_name;
extern const tn_extension tn_ext_supported_groups;
extern const tn_extension tn_ext_signature_algorithms;
extern const tn_extension tn_ext_alpn;
extern const tn_extension tn_ext_key_share;
extern const tn_extension tn_ext_supported_versions;
extern const tn_extension tn_ext_cookie;
extern const tn_extension tn_ext_early_data;

#endif
