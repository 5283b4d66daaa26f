// Floor 3 as outsiders see it: a TLS engine that does no I/O of its own.
//
// A tn_config is made once and shared, read-only, by any number of connections and threads. A tn_conn is
// one connection: bytes from the peer go in through tn_conn_receive(), bytes for the peer come out of
// tn_conn_send(). It never blocks and holds no buffer of application data: records are decrypted into the
// caller's memory and encrypted out of it. One thread at a time uses a connection.
#ifndef TENON_TLS_H
#define TENON_TLS_H

#include "tenon/base.h"
#include "tenon/pki.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- configuration

typedef enum tn_role { TN_CLIENT, TN_SERVER } tn_role;

typedef struct tn_config tn_config;

// A configuration with the defaults: every suite and group in our order of preference, but no group that would let a
// peer spend our time (ffdhe6144, ffdhe8192); a client verifies its peer.
// The setters below fail with TN_E_BAD_STATE once a connection has been made from it. Counted references: the new
// one is the caller's. `a` (NULL: the C library's) serves it and its connections and must outlive both.
TN_API TN_MUST_USE tn_result tn_config_new(tn_role role, const tn_allocator *a, tn_config **out);
TN_API tn_config *tn_config_ref(tn_config *config);
TN_API void tn_config_unref(tn_config *config);  // NULL is allowed

// Server: adds an identity (takes a reference). A client's server name finds the identity whose certificate has it,
// the exact name before a wildcard; the first identity added answers everybody else. A name may have identities with
// different types of key: each client is answered with the type that we prefer of those that it takes.
TN_API TN_MUST_USE tn_result tn_config_add_identity(tn_config *config, tn_identity *identity);

// Client: the anchors that the server's chain must end in (takes a reference).
TN_API TN_MUST_USE tn_result tn_config_set_trust(tn_config *config, tn_trust *trust);
// Client: accept any certificate. The connection is then open to anyone in the middle.
TN_API TN_MUST_USE tn_result tn_config_set_insecure(tn_config *config);

// Application protocols (RFC 7301), most wanted first, each 1 to 255 bytes; copied. A server picks the first of its
// own that the client has and refuses a client that has none of them; without this call neither side uses ALPN.
TN_API TN_MUST_USE tn_result tn_config_set_alpn(tn_config *config, const tn_span *protocols, size_t n);

// Cipher suites by number (0x1301, ...), most wanted first; a server's order rules. TN_E_BAD_ARGUMENT for one
// that we do not have, for duplicates, and for an empty list.
TN_API TN_MUST_USE tn_result tn_config_set_suites(tn_config *config, const uint16_t *suites, size_t n);
// Key-exchange groups by number (NamedGroup), likewise. A client sends a key share for the first.
TN_API TN_MUST_USE tn_result tn_config_set_groups(tn_config *config, const uint16_t *groups, size_t n);

// The clock that certificates are checked by (seconds since 1970); the default is time(2)'s.
TN_API TN_MUST_USE tn_result tn_config_set_clock(tn_config *config, int64_t (*now)(void *ctx), void *ctx);

// What there is, for usage texts: number and IANA name of suite (or group) i in our order; false past the last.
TN_API bool tn_suite_at(size_t i, uint16_t *id, const char **name);
TN_API bool tn_group_at(size_t i, uint16_t *id, const char **name);

// ---------------------------------------------------------------- a connection

typedef struct tn_conn tn_conn;

// A new connection of this configuration (takes a reference). A client needs trust anchors and the name of the server
// it wants (a DNS name, which is also sent as SNI, or an IP address in text form; at most 255 bytes), unless the
// configuration is insecure: TN_E_BAD_ARGUMENT otherwise. Its first bytes are at once ready to be sent. A server gives
// an empty span and has an identity: TN_E_NO_IDENTITY otherwise.
TN_API TN_MUST_USE tn_result tn_conn_new(tn_config *config, tn_span server_name, tn_conn **out);
// Frees and wipes; NULL is allowed.
TN_API void tn_conn_free(tn_conn *conn);

// What tn_conn_receive() did.
typedef struct tn_received {
  size_t used;    // bytes of `in` that are dealt with: drop them
  tn_mspan data;  // application data, in `in` or in `out`
  size_t need;    // if used is 0: how many bytes `in` must hold before there is progress
} tn_received;

// Takes bytes from the peer, at most one record a call: call again (with what is left) until used is 0, then wait
// until `in` holds `need` bytes. in.p is written to: protected records are decrypted in place, unless `out` is
// given (out.p not NULL) and has room for the record: then application data goes there. Valid until the caller
// reuses the memory. Never keeps a pointer. out must not overlap in; what it holds is lost even if there is no data.
// A failure is final: an alert is ready to be sent (call tn_conn_send()), every later call fails alike. The end
// of the peer's data (close_notify) is not a failure: see tn_conn_status().
TN_API TN_MUST_USE tn_result tn_conn_receive(tn_conn *conn, tn_mspan in, tn_mspan out, tn_received *result);

// The transport ended. TN_E_TRUNCATED unless the peer had sent close_notify.
TN_API TN_MUST_USE tn_result tn_conn_receive_eof(tn_conn *conn);

// Produces bytes for the peer into out: first what the protocol has to say (handshake, alerts), then the
// application data of the n spans, as records of at most 2^14 bytes, as much as fits. *taken counts the bytes of
// data that were encrypted, *written the bytes of out that were filled. With n = 0 it flushes. Application data waits
// (taken = 0) until the handshake is done. A record costs at most TN_RECORD_OVERHEAD bytes beyond its data; a part of a
// record is never written, but handshake bytes go into any room. With n > 0 it fails, and writes nothing, after
// tn_conn_close() (TN_E_BAD_STATE) and after a failure (that one again); flush what is pending with n = 0.
// What *written counts is for the peer, whatever the result. data and out must not overlap.
#define TN_RECORD_MAX_PLAINTEXT 16384
#define TN_RECORD_OVERHEAD 22
#define TN_RECORD_MAX (5 + 16384 + 256)  // the largest record that a peer may send
TN_API TN_MUST_USE tn_result tn_conn_send(tn_conn *conn, const tn_span *data, size_t n, tn_mspan out, size_t *taken,
                                          size_t *written);

// Ends our direction: a close_notify follows what was sent. The peer's direction stays open until it closes it. In the
// middle of a handshake this gives it up: what still arrives is ignored.
TN_API void tn_conn_close(tn_conn *conn);

// New keys for our direction (RFC 9846 section 4.7.3); with ask_peer the peer is asked to do the same, unless it still
// owes the answer to an earlier request. Happens by itself before the AEAD's limit. TN_E_BAD_STATE before the handshake
// is done or after tn_conn_close().
TN_API TN_MUST_USE tn_result tn_conn_update_keys(tn_conn *conn, bool ask_peer);

// Bits of tn_conn_status().
enum {
  TN_CONN_OPEN = 1 << 0,         // the handshake is done: application data flows
  TN_CONN_PENDING = 1 << 1,      // tn_conn_send() has protocol bytes to write
  TN_CONN_PEER_CLOSED = 1 << 2,  // the peer's close_notify arrived: no more data will
  TN_CONN_CLOSED = 1 << 3,       // tn_conn_close() was called
  TN_CONN_FAILED = 1 << 4,       // see tn_conn_error()
};
TN_API unsigned tn_conn_status(const tn_conn *conn);

// Why the connection failed (success while it has not).
TN_API tn_result tn_conn_error(const tn_conn *conn);
// The same in words for a log line: what happened and which alert was sent or received. Writes at most `room` bytes
// with the final 0.
TN_API void tn_conn_error_text(const tn_conn *conn, char *out, size_t room);

// What was negotiated; spans live as long as the connection. Fields are empty until they are known.
typedef struct tn_conn_info {
  const char *version;  // "TLSv1.3"
  const char *suite;    // IANA's name
  uint16_t suite_id;
  const char *group;  // IANA's name
  uint16_t group_id;
  const char *signature;  // the scheme that the server signed with
  tn_span alpn;
  tn_span server_name;  // what the client asked for
  bool retried;         // a HelloRetryRequest happened
  size_t n_peer_chain;  // the peer's certificates, leaf first
  bool verified;        // the peer's chain was verified
} tn_conn_info;
TN_API void tn_conn_get_info(const tn_conn *conn, tn_conn_info *info);
// Certificate i of the peer's chain, DER; empty past the last.
TN_API tn_span tn_conn_peer_cert(const tn_conn *conn, size_t i);

#ifdef __cplusplus
}
#endif
#endif
