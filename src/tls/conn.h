// One connection, and the block that only its handshake needs.
#ifndef TN_TLS_CONN_H
#define TN_TLS_CONN_H

#include "base/bytes.h"
#include "base/error.h"
#include "crypto/sign.h"
#include "tls/config.h"
#include "tls/message.h"
#include "tls/record.h"

// Where a handshake stands: what may arrive next. The table in state.c says what each state accepts.
typedef enum tn_state {
  TN_STATE_NONE = 0,
  TN_SERVER_WAIT_CLIENT_HELLO,
  TN_SERVER_WAIT_SECOND_HELLO,  // after our HelloRetryRequest
  TN_SERVER_WAIT_FINISHED,
  TN_SERVER_CONNECTED,
  TN_CLIENT_WAIT_SERVER_HELLO,
  TN_CLIENT_WAIT_RETRIED_HELLO,  // after the server's HelloRetryRequest
  TN_CLIENT_WAIT_ENCRYPTED_EXTENSIONS,
  TN_CLIENT_WAIT_CERTIFICATE_OR_REQUEST,
  TN_CLIENT_WAIT_CERTIFICATE,
  TN_CLIENT_WAIT_CERTIFICATE_VERIFY,
  TN_CLIENT_WAIT_FINISHED,
  TN_CLIENT_CONNECTED,
  TN_STATE_COUNT,
} tn_state;

// What a handshake must have proved before the connection opens; state.c says which role needs which.
enum {
  TN_PROVED_KEY_EXCHANGE = 1 << 0,  // both sides' secrets are derived from a fresh exchange
  TN_PROVED_CERTIFICATE = 1 << 1,   // the peer's chain was verified, or the application opted out
  TN_PROVED_SIGNATURE = 1 << 2,     // the peer signed this transcript with the certificate's key
  TN_PROVED_FINISHED = 1 << 3,      // the peer's Finished was right
};

// What only the handshake needs; one block, wiped and freed at its end.
typedef struct tn_handshake {
  tn_transcript transcript;
  tn_key_schedule schedule;
  tn_traffic_secret client_handshake, server_handshake, client_application, server_application;
  uint8_t proved;  // TN_PROVED_

  uint8_t session_id[32];  // legacy_session_id: ours (client) or the client's, to be echoed
  uint8_t session_id_len;
  bool compatibility_sent;                   // our change_cipher_spec of middlebox compatibility mode
  uint64_t extensions_sent;                  // bits by row of the extension table: what we sent and may be answered
  const tn_group *retry_group;               // what the HelloRetryRequest asked for
  const tn_suite *retry_suite;               // what it chose, which the ServerHello must keep
  tn_writer flight;                          // messages that wait to be sealed together
  uint8_t share_public[TN_GROUP_MAX_SHARE];  // our share
  tn_span chosen_share;  // the peer's share for the group that was chosen; valid in the message's own handler only

  // The client's own.
  uint8_t client_random[32];    // the same in a second ClientHello
  const tn_group *share_group;  // the group of the share that we sent
  uint8_t share_private[TN_GROUP_MAX_PRIVATE];
  tn_mspan cookie;  // to be echoed
  bool certificate_requested;
  tn_cert leaf;  // the server's, over conn->peer_chain

  // What the ClientHello said, on the server.
  uint32_t peer_groups;   // bits by index in the configuration's groups
  uint32_t peer_schemes;  // bits by row of tn_sign_schemes (on the client: what the CertificateRequest said)
  bool peer_has_1_3;
  tn_span peer_shares;  // KeyShareEntries; valid in the message's own handler only
  bool name_recognized;
  tn_identity *identity;
  uint8_t frozen[32];           // digest of what a second ClientHello must repeat
  size_t early_data_allowance;  // bytes of undecryptable early data that may still be skipped
} tn_handshake;

struct tn_conn {
  tn_config *config;
  tn_handshake *hs;  // NULL once the handshake is over
  tn_role role;
  tn_state state;
  uint8_t status;            // TN_CONN_ bits but PENDING
  bool peer_may_compat;      // a change_cipher_spec may still arrive and is dropped
  bool key_update_answered;  // an answer to the peer's KeyUpdate waits in `out`
  bool key_update_asked;     // the peer has not answered our KeyUpdate yet
  bool retried;
  bool verified;
  uint8_t useless_records;  // in a row, see TN_MAX_USELESS_RECORDS
  const tn_suite *suite;
  const tn_group *group;
  const tn_sign_scheme *scheme;
  tn_protection read, write;
  tn_traffic_secret read_secret, write_secret;  // of the application keys, for KeyUpdate
  tn_writer reassembly;                         // a handshake message that is not complete yet
  tn_writer out;                                // sealed records that wait for the caller
  size_t out_sent;                              // how much of it the caller has
  tn_span alpn;                                 // in the configuration
  tn_mspan server_name;
  tn_mspan peer_chain;  // the peer's CertificateEntries: cert_data behind 3 bytes of length each
  tn_result error;
  uint8_t alert_sent;  // valid if `alerted`
  bool alerted;
  char *detail;  // a reason that needs more words than its name; TN_DETAIL_LEN bytes or NULL
};

#define TN_DETAIL_LEN 256

// A peer that sends this many records without content, compatibility records, or KeyUpdates in a row is refused.
#define TN_MAX_USELESS_RECORDS 32

// The limits of what a peer may make us hold.
#define TN_MAX_HELLO 65536
#define TN_MAX_CERTIFICATE 131072
#define TN_MAX_SMALL_MESSAGE 16384
#define TN_MAX_OUT (1u << 20)

static inline const tn_allocator *tn_conn_allocator(const tn_conn *c) { return c->config->allocator; }

// Counts a record, message or alert that brings no data; too many in a row are refused (conn.c).
TN_MUST_USE tn_result tn_conn_count_useless(tn_conn *c);

// Says why in words of its own, for tn_conn_error_text().
void tn_conn_set_detail(tn_conn *c, const char *text);

// ---------------------------------------------------------------- sending (conn_send.c)

// A handshake message in the flight: its body is written to hs->flight between open and close, which adds the whole
// to the transcript.
tn_scope tn_message_open(tn_conn *c, tn_message_type type);
TN_MUST_USE tn_result tn_message_close(tn_conn *c, tn_scope message);
// Seals the flight into records under the current write keys.
TN_MUST_USE tn_result tn_conn_flush_flight(tn_conn *c);
// Seals one record of protocol bytes at once.
TN_MUST_USE tn_result tn_conn_queue_record(tn_conn *c, tn_content_type type, tn_span body);
// The dummy change_cipher_spec of middlebox compatibility mode (RFC 9846 appendix E.4).
TN_MUST_USE tn_result tn_conn_queue_compatibility(tn_conn *c);

// ---------------------------------------------------------------- keys (conn_keys.c)

// After both hellos: handshake secrets from the shared secret. Reading and writing go over to them.
TN_MUST_USE tn_result tn_conn_enter_handshake_keys(tn_conn *c, tn_span shared_secret);
// After the server's Finished: application secrets; they are used when the two calls below are made.
TN_MUST_USE tn_result tn_conn_derive_application(tn_conn *c);
TN_MUST_USE tn_result tn_conn_read_application(tn_conn *c);
TN_MUST_USE tn_result tn_conn_write_application(tn_conn *c);
// The handshake is over: TN_E_BAD_STATE unless everything was proved that the role needs.
TN_MUST_USE tn_result tn_conn_open(tn_conn *c);
// Wipes and frees what only the handshake needs; nothing happens if it is gone (conn.c).
void tn_conn_end_handshake(tn_conn *c);

// ---------------------------------------------------------------- failing (alert.c)

// The one place that sends an alert: records the failure, queues its alert, wipes every key and secret. Returns `why`.
// Called where nothing of the handshake is in use any more, not from handlers.
tn_result tn_conn_fail(tn_conn *c, tn_result why);
// An alert from the peer.
TN_MUST_USE tn_result tn_conn_take_alert(tn_conn *c, tn_span body);

#endif
