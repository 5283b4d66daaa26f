// What the connections of one kind share. Read-only once the first connection is made.
#ifndef TN_TLS_CONFIG_H
#define TN_TLS_CONFIG_H

#include <stdatomic.h>

#include "crypto/group.h"
#include "tenon/tls.h"
#include "tls/identity_table.h"
#include "tls/suite.h"

#define TN_CONFIG_MAX_GROUPS 16

struct tn_config {
  _Atomic uint32_t references;
  _Atomic bool frozen;
  tn_role role;
  tn_allocator allocator_copy;
  const tn_allocator *allocator;  // NULL, or &allocator_copy
  const tn_suite *suites[TN_SUITE_COUNT];
  size_t n_suites;
  const tn_group *groups[TN_CONFIG_MAX_GROUPS];
  size_t n_groups;
  tn_mspan alpn;  // a ProtocolNameList's contents, RFC 7301
  tn_identity_table identities;
  tn_trust *trust;
  bool insecure;
  int64_t (*now)(void *ctx);
  void *now_ctx;
  tn_rng rng;  // the library's own, but for tests
};

// For tests: other random bytes than the library's.
TN_MUST_USE tn_result tn_config_set_rng(tn_config *config, tn_rng rng);

// Whether the peer's choice is among ours; the row, or NULL.
const tn_suite *tn_config_suite(const tn_config *config, uint16_t id);
const tn_group *tn_config_group(const tn_config *config, uint16_t id);

#endif
