// A peer that is run by hand: it speaks to one engine with the house's own primitives, but says whatever a test wants,
// in any order, under any keys, in any cutting, and looks at what comes back. It plays either role.
#ifndef TN_TESTS_SCRIPT_H
#define TN_TESTS_SCRIPT_H

#include "crypto/group.h"
#include "tls/support/pair.h"

// Exhaustive loops take every n-th case where sanitizers make them slow.
#if defined(__SANITIZE_ADDRESS__)
#define STRIDE(n) (n)
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STRIDE(n) (n)
#endif
#endif
#ifndef STRIDE
#define STRIDE(n) 1
#endif

typedef struct script {
  pair *p;
  tn_role role;     // what the script plays
  tn_conn *engine;  // the other side
  const tn_suite *suite;
  const tn_group *group;  // of our share, or (server) of the share that the engine sent
  tn_transcript transcript;
  tn_key_schedule schedule;
  tn_traffic_secret client_handshake, server_handshake, client_application, server_application;
  tn_protection read, write;
  uint8_t private_key[TN_GROUP_MAX_PRIVATE];  // of a client
  uint8_t share[TN_GROUP_MAX_SHARE];          // ours
  uint8_t secret[TN_GROUP_MAX_SECRET];        // what the exchange gave
  uint8_t random[32];                         // of the client's hello, whoever sent it
  uint8_t session_id[32];
  size_t session_id_len;
  bool retried;         // a HelloRetryRequest was sent
  uint8_t cookie[512];  // in the engine's hello
  size_t cookie_len;
  bool holding;    // script_handshake() only collects; script_flush() sends
  size_t cut;      // plaintext bytes of a handshake record; 0: no cutting
  tn_writer held;  // handshake bytes that wait
  tn_writer wire;  // what the engine sent and nobody took yet
  size_t wire_taken;
  tn_writer handshake;  // handshake bytes out of the engine's records
  size_t handshake_taken;
  tn_writer data;    // application data that the engine delivered
  tn_result result;  // of the engine's last receive
} script;

// A new engine from the pair's configuration, and a script that plays `role` against it. Nothing is exchanged yet.
void script_open(script *s, pair *p, tn_role role);
void script_close(script *s);  // frees the engine too

// ---------------------------------------------------------------- sending: each returns the engine's result

tn_result script_wire(script *s, tn_span raw);  // as they are
// One record under the current keys: any inner type, any length, followed by `padding` zeros (protected only).
tn_result script_padded(script *s, uint8_t type, tn_span content, size_t padding);
tn_result script_record(script *s, uint8_t type, const void *content, size_t n);
// One record without protection, whatever the keys.
tn_result script_plain(script *s, uint8_t type, const void *content, size_t n);
// A handshake message, which goes into the transcript.
tn_result script_handshake(script *s, uint8_t type, tn_span body);
// Sends what is held, cut as `cut` says.
tn_result script_flush(script *s);
tn_result script_compatibility(script *s);  // change_cipher_spec

// ---------------------------------------------------------------- receiving

// The next record of the engine's, opened; false if there is none. `content` lives until the next call.
bool script_next(script *s, uint8_t *type, tn_span *content);
// The next handshake message, which must be of this type, into the transcript. Its body; lives until the next call.
tn_span script_take(script *s, uint8_t type);
// Asserts that the engine sent exactly one more record and that this is a fatal alert: its description.
// -1 if the engine sent nothing.
int script_alert(script *s);
// Asserts that the engine failed and said so with this alert alone, and that it stays failed.
void script_expect(script *s, const char *what, tn_alert alert);

// ---------------------------------------------------------------- hellos and extension lists

#define EXT_ROOM 1700
#define EXT_MAX 140

typedef struct ext_list {
  size_t n;
  struct {
    uint16_t id;
    size_t n;
    uint8_t body[EXT_ROOM];
  } at[EXT_MAX];
} ext_list;

void ext_add(ext_list *l, uint16_t id, const char *hex);  // at the end, even if it is there already
void ext_set(ext_list *l, uint16_t id, const char *hex);  // in its place, or at the end
void ext_fill(ext_list *l, uint16_t id, size_t n);        // in its place, or at the end: n zeros
void ext_set_bytes(ext_list *l, uint16_t id, const void *p, size_t n);
void ext_remove(ext_list *l, uint16_t id);
size_t ext_find(const ext_list *l, uint16_t id);  // fails the test if it is not there
void ext_write(const ext_list *l, tn_writer *w);  // behind two bytes of length
// The same as a column of a table. LAST: moved to the end.
typedef enum ext_operation { SET, ADD, DROP, LAST } ext_operation;
void ext_apply(ext_list *l, ext_operation op, uint16_t id, const char *hex);

// A ClientHello, ServerHello or HelloRetryRequest in pieces.
typedef struct hello {
  uint16_t version;
  uint8_t random[32];
  uint8_t session_id[255];
  size_t session_id_len;
  uint16_t suites[16];  // a ServerHello's is the first
  size_t n_suites;
  uint8_t compression[4];
  size_t n_compression;
  ext_list ext;
  bool no_extensions;
  int suites_excess, block_excess;  // added to the lengths of suites and extensions
  size_t junk;                      // bytes after the end
} hello;

// What an honest client sends first: all that the engine knows, one share for s->group (x25519 unless it was set).
void hello_client(script *s, hello *h);
// What an honest server answers to the engine's hello (which it takes).
void hello_server(script *s, hello *h);
// HelloRetryRequest for another group than that of the engine's share. Takes the engine's hello.
void hello_retry(script *s, hello *h, uint16_t group);
tn_result script_hello(script *s, const hello *h);

// ---------------------------------------------------------------- the honest rest of a handshake

void script_handshake_keys(script *s);    // after both hellos
void script_application_keys(script *s);  // after the server's Finished: a client writes with them after its own
void script_write_application(script *s);
void script_read_application(script *s);

// A client: the engine's HelloRetryRequest, whose group the second hello's share is then for.
void script_take_retry(script *s, uint16_t group);
// A client: from the engine's ServerHello to its Finished.
void script_take_server_flight(script *s);
tn_result script_finished(script *s);
// A server's messages.
tn_result script_encrypted_extensions(script *s, const ext_list *ext);
tn_result script_certificate(script *s);
// Signs with the scheme, or where the key cannot, with the first that it can.
tn_result script_certificate_verify(script *s, uint16_t scheme);

// Opens the script against an engine that is taken to `state`, honestly. The role is the state's other side.
void script_reach(script *s, pair *p, tn_state state);

#endif
