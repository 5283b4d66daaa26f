// A client and a server engine in one process, and the identity they use.
#ifndef TN_TESTS_PAIR_H
#define TN_TESTS_PAIR_H

#include "support/support.h"
#include "tenon/tls.h"
#include "tls/config.h"
#include "tls/conn.h"

#define PAIR_NAME "server.example"
#define PAIR_NOW 1800000000  // 2027-01-15

// A P-256 CA, and an identity for PAIR_NAME, *.wild.example and 192.0.2.1 that it issued; made anew.
typedef struct pki_set {
  tn_key *ca_key;
  tn_trust *trust;
  tn_identity *identity;
  uint8_t ca_der[1024];
  size_t ca_len;
} pki_set;
void pki_set_make(pki_set *set, const tn_allocator *a);
void pki_set_free(pki_set *set);
// Another identity from the same CA for one DNS name.
tn_identity *pki_set_issue(const pki_set *set, const char *dns_name);
// The same for a key of the caller's.
tn_identity *pki_set_issue_for(const pki_set *set, const char *dns_name, const tn_key *key);

// Configurations that trust each other, with the clock at PAIR_NOW. Change them before pair_connect().
typedef struct pair {
  pki_set pki;
  tn_config *client_config, *server_config;
  tn_conn *client, *server;
} pair;
void pair_make(pair *p, const tn_allocator *a);
void pair_connect(pair *p);  // makes the two connections; nothing is exchanged yet
void pair_free(pair *p);

// Everything that `from` has to send, appended to `wire` (growing).
void drain(tn_conn *from, tn_writer *wire);
// Feeds bytes as they are: whole records as they become complete, up to the first failure. Application data is
// appended to `data` (may be NULL). Returns the last result; what was not a whole record is lost.
tn_result feed(tn_conn *to, tn_span wire, tn_writer *data);
// Lets both sides talk until neither has anything to say. Returns the first failure, or success.
tn_result pair_run(pair *p);
// pair_run() and both sides open.
void pair_handshake(pair *p);
// `from` sends n bytes that `to` receives and compares.
void pair_exchange(tn_conn *from, tn_conn *to, size_t n);

// A pair that all tests of a program share, and its set-up and tear-down for cmocka_run_group_tests().
extern pair fixture;
int fixture_make(void **state);
int fixture_free(void **state);

#endif
