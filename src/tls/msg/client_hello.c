// ClientHello, RFC 9846 section 4.2.2.
#include "base/mem.h"
#include "tls/ext/extension.h"
#include "tls/msg/msg.h"

// ---------------------------------------------------------------- sending

static tn_result choose_share(tn_conn *c) {
  tn_handshake *hs = c->hs;
  const tn_group *group = hs->retry_group != NULL ? hs->retry_group : c->config->groups[0];
  if (group == hs->share_group) return tn_success();  // a retry for a cookie alone
  hs->share_group = group;
  return group->generate(&c->config->rng, hs->share_private, hs->share_public);
}

tn_result tn_send_client_hello(tn_conn *c) {
  tn_handshake *hs = c->hs;
  if (!c->retried) {
    TN_TRY(tn_random(&c->config->rng, hs->client_random, sizeof hs->client_random));
    hs->session_id_len = sizeof hs->session_id;  // middlebox compatibility mode, appendix E.4
    TN_TRY(tn_random(&c->config->rng, hs->session_id, sizeof hs->session_id));
  }
  TN_TRY(choose_share(c));

  tn_writer *w = &hs->flight;
  tn_scope message = tn_message_open(c, TN_MSG_CLIENT_HELLO);
  tn_write_u16(w, TN_VERSION_1_2);  // legacy_version
  tn_write_bytes(w, hs->client_random, sizeof hs->client_random);
  tn_scope session_id = tn_write_open(w, 1);
  tn_write_bytes(w, hs->session_id, hs->session_id_len);
  tn_write_close(w, session_id);
  tn_scope suites = tn_write_open(w, 2);
  for (size_t i = 0; i < c->config->n_suites; i++) tn_write_u16(w, c->config->suites[i]->id);
  tn_write_close(w, suites);
  tn_write_u8(w, 1);  // legacy_compression_methods: null
  tn_write_u8(w, 0);
  TN_TRY(tn_extensions_write(c, TN_IN_CLIENT_HELLO, w));
  TN_TRY(tn_message_close(c, message));
  return tn_conn_flush_flight(c);
}

// ---------------------------------------------------------------- taking

typedef struct {
  uint16_t legacy_version;
  uint8_t random[32];
  tn_reader session_id, suites, compression;
  tn_reader extensions;  // behind its length; empty in a hello that has none
} client_hello;

static tn_result parse(tn_reader *body, client_hello *hello) {
  TN_READ(tn_read_u16(body, &hello->legacy_version));
  TN_READ(tn_read_copy(body, hello->random, sizeof hello->random));
  TN_READ(tn_read_block8(body, &hello->session_id) && hello->session_id.n <= 32);
  TN_READ(tn_read_block16(body, &hello->suites) && hello->suites.n != 0 && hello->suites.n % 2 == 0);
  TN_READ(tn_read_block8(body, &hello->compression) && hello->compression.n != 0);
  hello->extensions = *body;
  return tn_success();
}

// Section 4.2.2: what a second ClientHello may change. encrypted_client_hello (RFC 9849 section 6.1.5) is sealed anew.
static bool may_change(uint16_t extension) {
  static const uint16_t ids[] = {21 /* padding */, 41 /* pre_shared_key */, 42 /* early_data */,
                                 44 /* cookie */,  51 /* key_share */,      0xfe0d /* encrypted_client_hello */};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
    if (ids[i] == extension) return true;
  return false;
}

static void hash_block(tn_hash_ctx *ctx, tn_reader block) {
  const uint8_t length[2] = {(uint8_t)(block.n >> 8), (uint8_t)block.n};
  tn_hash_update(ctx, length, sizeof length);
  tn_hash_update(ctx, block.p, block.n);
}

// A digest of all that a second ClientHello must repeat.
static void freeze(const client_hello *hello, uint8_t digest[32]) {
  tn_hash_ctx ctx;
  tn_hash_init(&ctx, &tn_sha256);
  const uint8_t version[2] = {(uint8_t)(hello->legacy_version >> 8), (uint8_t)hello->legacy_version};
  tn_hash_update(&ctx, version, sizeof version);
  tn_hash_update(&ctx, hello->random, sizeof hello->random);
  hash_block(&ctx, hello->session_id);
  hash_block(&ctx, hello->suites);
  hash_block(&ctx, hello->compression);
  tn_reader all = hello->extensions, block, body;
  uint16_t id;
  if (tn_read_block16(&all, &block))
    while (tn_read_u16(&block, &id) && tn_read_block16(&block, &body)) {
      if (may_change(id)) continue;
      const uint8_t number[2] = {(uint8_t)(id >> 8), (uint8_t)id};
      tn_hash_update(&ctx, number, sizeof number);
      hash_block(&ctx, body);
    }
  tn_hash_final(&ctx, digest);
}

static tn_result check_repeated(tn_conn *c, const client_hello *hello) {
  if (!c->retried) {
    freeze(hello, c->hs->frozen);
    return tn_success();
  }
  uint8_t digest[32];
  freeze(hello, digest);
  c->hs->early_data_allowance = 0;  // no early data follows a second hello
  TN_ENSURE(tn_equal_vartime(digest, c->hs->frozen, sizeof digest), TN_E_HELLO_CHANGED);
  return tn_success();
}

static tn_result choose_suite(tn_conn *c, tn_reader offered) {
  for (size_t i = 0; i < c->config->n_suites; i++) {
    uint16_t id;
    for (tn_reader left = offered; tn_read_u16(&left, &id);)
      if (id == c->config->suites[i]->id) {
        c->suite = c->config->suites[i];
        return tn_success();
      }
  }
  return tn_fail(TN_E_NO_COMMON_SUITE);
}

// The client's share for a group; an empty span if it sent none.
static tn_span find_share(const tn_conn *c, const tn_group *group) {
  tn_reader list = tn_reader_of(c->hs->peer_shares), share;
  uint16_t id;
  while (tn_read_u16(&list, &id) && tn_read_block16(&list, &share))
    if (id == group->id) return tn_reader_rest(&share);
  return (tn_span){NULL, 0};
}

// The first of our groups that the client sent a share for; without one, the first that it supports, by a retry.
static tn_result choose_group(tn_conn *c) {
  tn_handshake *hs = c->hs;
  const tn_group *fallback = NULL;
  for (size_t i = 0; i < c->config->n_groups; i++) {
    if (!(hs->peer_groups >> i & 1)) continue;
    const tn_group *group = c->config->groups[i];
    hs->chosen_share = find_share(c, group);
    if (hs->chosen_share.n != 0) {
      c->group = group;
      return tn_success();
    }
    if (fallback == NULL) fallback = group;
  }
  TN_ENSURE(fallback != NULL, TN_E_NO_COMMON_GROUP);
  hs->retry_group = fallback;
  return tn_success();
}

// After a retry: exactly the one share that was asked for (section 4.3.8).
static tn_result check_retried_share(tn_conn *c) {
  tn_reader list = tn_reader_of(c->hs->peer_shares), share;
  uint16_t id;
  TN_ENSURE(tn_read_u16(&list, &id) && tn_read_block16(&list, &share) && list.n == 0, TN_E_BAD_KEY_SHARE);
  TN_ENSURE(id == c->hs->retry_group->id, TN_E_BAD_KEY_SHARE);
  c->hs->chosen_share = tn_reader_rest(&share);
  c->group = c->hs->retry_group;
  return tn_success();
}

// Takes an identity if there is none yet, or if it signs with a scheme that we prefer; c->scheme is NULL while there is
// none in common.
static void consider_identity(tn_conn *c, tn_identity *identity, size_t *best) {
  if (identity == NULL) return;
  const size_t rank = tn_sign_scheme_rank(c, identity);
  if (c->hs->identity != NULL && rank >= *best) return;
  *best = rank;
  c->hs->identity = identity;
  c->scheme = tn_sign_schemes[rank];
}

// Of the identities for the name the one that we prefer. If nobody has the name: the first of all, unless the client
// cannot take that one, but another.
static tn_result choose_identity(tn_conn *c) {
  const tn_identity_table *table = &c->config->identities;
  const tn_identity_name *found = tn_identity_table_find(table, (tn_span){c->server_name.p, c->server_name.n});
  size_t best = 0;
  c->hs->name_recognized = found != NULL;
  for (; found != NULL; found = tn_identity_table_next(table, found)) consider_identity(c, found->identity, &best);
  if (!c->hs->name_recognized) {
    consider_identity(c, tn_identity_table_default(table), &best);
    for (size_t i = 0; c->scheme == NULL && i < TN_KEY_TYPES; i++) consider_identity(c, table->first_of_type[i], &best);
  }
  TN_ENSURE(c->hs->identity != NULL, TN_E_NO_IDENTITY);
  TN_ENSURE(c->scheme != NULL, TN_E_NO_COMMON_SIGNATURE);
  return tn_success();
}

static tn_result send_retry(tn_conn *c) {
  c->retried = true;
  c->hs->retry_suite = c->suite;
  tn_transcript_retry(&c->hs->transcript);
  TN_TRY(tn_send_server_hello(c, tn_retry_random));
  TN_TRY(tn_conn_flush_flight(c));
  return tn_conn_queue_compatibility(c);
}

tn_result tn_take_client_hello(tn_conn *c, tn_span message, tn_reader *body, tn_state *next) {
  tn_handshake *hs = c->hs;
  client_hello hello;
  tn_extension_set extensions = {0};
  TN_TRY(parse(body, &hello));
  if (body->n != 0) TN_TRY(tn_extensions_collect(c, TN_IN_CLIENT_HELLO, body, &extensions));
  TN_AT_END(body);
  TN_TRY(tn_extension_read_one(c, TN_IN_CLIENT_HELLO, &extensions, TN_EXT_SUPPORTED_VERSIONS));
  // Appendix E.5: SSL 3.0 and what came before is refused, whatever else the hello offers.
  TN_ENSURE(hs->peer_has_1_3 && hello.legacy_version > TN_VERSION_SSL_3_0, TN_E_NO_COMMON_VERSION);
  TN_ENSURE(hello.compression.n == 1 && hello.compression.p[0] == 0, TN_E_BAD_COMPRESSION);
  TN_TRY(check_repeated(c, &hello));
  TN_TRY(tn_extensions_read(c, TN_IN_CLIENT_HELLO, &extensions));
  c->peer_may_compat = true;

  TN_TRY(choose_suite(c, hello.suites));
  TN_ENSURE(!c->retried || c->suite == hs->retry_suite, TN_E_HELLO_CHANGED);
  hs->session_id_len = (uint8_t)hello.session_id.n;
  tn_copy(hs->session_id, hello.session_id.p, hello.session_id.n);
  tn_transcript_choose(&hs->transcript, c->suite->hash);
  tn_transcript_add(&hs->transcript, message);

  TN_TRY(c->retried ? check_retried_share(c) : choose_group(c));
  if (c->group == NULL) {
    *next = TN_SERVER_WAIT_SECOND_HELLO;
    return send_retry(c);
  }
  TN_TRY(choose_identity(c));
  *next = TN_SERVER_WAIT_FINISHED;
  return tn_send_server_flight(c);
}
