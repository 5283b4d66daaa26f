// The hybrid groups of draft-ietf-tls-ecdhe-mlkem: how their shares and secrets are put together, and that a bad part
// makes a bad share. Where they are in the table of groups, test_group.c runs them as any other.
#include "crypto/group.h"
#include "crypto/mlkem/mlkem.h"
#include "support/support.h"

static const struct {
  const tn_group *group;
  const char *name;
  uint16_t id, client_share_len, server_share_len, secret_len;
  const tn_group *curve;
  const tn_mlkem *mlkem;
  bool mlkem_first;
} rows[] = {
    {&tn_group_x25519_mlkem768, "X25519MLKEM768", 4588, 1216, 1120, 64, &tn_group_x25519, &tn_mlkem768, true},
    {&tn_group_secp256r1_mlkem768, "SecP256r1MLKEM768", 4587, 1249, 1153, 64, &tn_group_secp256r1, &tn_mlkem768, false},
    {&tn_group_secp384r1_mlkem1024, "SecP384r1MLKEM1024", 4589, 1665, 1665, 80, &tn_group_secp384r1, &tn_mlkem1024,
     false},
};

typedef struct exchange {
  uint8_t priv[TN_GROUP_MAX_PRIVATE], client[TN_GROUP_MAX_SHARE], server[TN_GROUP_MAX_SHARE];
  uint8_t secret[TN_GROUP_MAX_SECRET];
} exchange;

static exchange run(const tn_group *g) {
  exchange x;
  uint8_t again[TN_GROUP_MAX_SECRET];
  assert_ok(g->generate(NULL, x.priv, x.client));
  assert_ok(g->answer(NULL, tn_span_of(x.client, g->client_share_len), x.server, x.secret));
  assert_ok(g->finish(x.priv, tn_span_of(x.server, g->server_share_len), again));
  assert_memory_equal(x.secret, again, g->secret_len);
  return x;
}

static void the_rows(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    const tn_group *g = rows[i].group;
    assert_string_equal(g->name, rows[i].name);
    assert_int_equal(g->id, rows[i].id);
    assert_int_equal(g->client_share_len, rows[i].client_share_len);
    assert_int_equal(g->server_share_len, rows[i].server_share_len);
    assert_int_equal(g->secret_len, rows[i].secret_len);
    assert_in_range(g->private_len, 1, TN_GROUP_MAX_PRIVATE);
    assert_in_range(g->client_share_len, 1, TN_GROUP_MAX_SHARE);
    assert_in_range(g->secret_len, 1, TN_GROUP_MAX_SECRET);
  }
}

// Each part of a share is one of the part's own, and the secret is theirs, one after the other.
static void both_parts_in_order(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    const tn_group *g = rows[i].group, *curve = rows[i].curve;
    const tn_mlkem *mlkem = rows[i].mlkem;
    const bool first = rows[i].mlkem_first;
    uint8_t mlkem_secret[TN_MLKEM_SECRET_LEN], curve_secret[TN_GROUP_MAX_SECRET];

    // We are a client that is made of the parts.
    uint8_t mlkem_public[TN_MLKEM_MAX_PUBLIC], mlkem_private[TN_MLKEM_MAX_PRIVATE];
    uint8_t curve_public[TN_GROUP_MAX_SHARE], curve_private[TN_GROUP_MAX_PRIVATE];
    uint8_t client[TN_GROUP_MAX_SHARE], server[TN_GROUP_MAX_SHARE], secret[TN_GROUP_MAX_SECRET];
    assert_ok(tn_mlkem_generate(mlkem, NULL, mlkem_public, mlkem_private));
    assert_ok(curve->generate(NULL, curve_private, curve_public));
    memcpy(client + (first ? 0 : curve->client_share_len), mlkem_public, mlkem->public_len);
    memcpy(client + (first ? mlkem->public_len : 0), curve_public, curve->client_share_len);
    assert_ok(g->answer(NULL, tn_span_of(client, g->client_share_len), server, secret));
    const uint8_t *ciphertext = server + (first ? 0 : curve->server_share_len);
    const uint8_t *point = server + (first ? mlkem->ciphertext_len : 0);
    assert_ok(tn_mlkem_decapsulate(mlkem, mlkem_private, tn_span_of(ciphertext, mlkem->ciphertext_len), mlkem_secret));
    assert_ok(curve->finish(curve_private, tn_span_of(point, curve->server_share_len), curve_secret));
    assert_memory_equal(secret + (first ? 0 : curve->secret_len), mlkem_secret, sizeof mlkem_secret);
    assert_memory_equal(secret + (first ? TN_MLKEM_SECRET_LEN : 0), curve_secret, curve->secret_len);

    // And a server.
    const exchange x = run(g);
    const uint8_t *their_key = x.client + (first ? 0 : curve->client_share_len);
    const uint8_t *their_point = x.client + (first ? mlkem->public_len : 0);
    uint8_t *mlkem_answer = server + (first ? 0 : curve->server_share_len);
    uint8_t *curve_answer = server + (first ? mlkem->ciphertext_len : 0);
    assert_ok(tn_mlkem_encapsulate(mlkem, NULL, tn_span_of(their_key, mlkem->public_len), mlkem_answer, mlkem_secret));
    assert_ok(curve->answer(NULL, tn_span_of(their_point, curve->client_share_len), curve_answer, curve_secret));
    assert_ok(g->finish(x.priv, tn_span_of(server, g->server_share_len), secret));
    assert_memory_equal(secret + (first ? 0 : curve->secret_len), mlkem_secret, sizeof mlkem_secret);
    assert_memory_equal(secret + (first ? TN_MLKEM_SECRET_LEN : 0), curve_secret, curve->secret_len);
  }
}

static void bad_parts(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    const tn_group *g = rows[i].group;
    const bool first = rows[i].mlkem_first;
    const size_t key = first ? 0 : rows[i].curve->client_share_len, key_len = rows[i].mlkem->public_len;
    const size_t point = first ? key_len : 0, answered_point = first ? rows[i].mlkem->ciphertext_len : 0;
    exchange x = run(g), bad = x;
    uint8_t secret[TN_GROUP_MAX_SECRET];
    const tn_span client = {bad.client, g->client_share_len}, server = {bad.server, g->server_share_len};

    memset(bad.client + key, 0xff, 3);  // two coefficients of 4095
    assert_fails(g->answer(NULL, client, x.server, secret), BAD_KEY_SHARE);
    bad = x;
    memset(bad.client + point, 0, rows[i].curve->client_share_len);
    assert_fails(g->answer(NULL, client, x.server, secret), BAD_KEY_SHARE);
    memset(bad.server + answered_point, 0, rows[i].curve->server_share_len);
    assert_fails(g->finish(x.priv, server, secret), BAD_KEY_SHARE);

    // A changed ciphertext is not an error: the secret is another, and the handshake fails at its Finished.
    bad = x = run(g);
    bad.server[first ? 5 : g->server_share_len - 5] ^= 1;
    assert_ok(g->finish(x.priv, server, secret));
    assert_memory_not_equal(secret, x.secret, g->secret_len);
  }
}

static void bad_lengths(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    const tn_group *g = rows[i].group;
    const exchange x = run(g);
    uint8_t share[TN_GROUP_MAX_SHARE + 1] = {0}, answer[TN_GROUP_MAX_SHARE], secret[TN_GROUP_MAX_SECRET];
    memcpy(share, x.client, g->client_share_len);
    for (size_t n = 0; n <= sizeof share; n++)
      if (n != g->client_share_len) assert_fails(g->answer(NULL, tn_span_of(share, n), answer, secret), BAD_KEY_SHARE);
    memcpy(share, x.server, g->server_share_len);
    for (size_t n = 0; n <= sizeof share; n++)
      if (n != g->server_share_len) assert_fails(g->finish(x.priv, tn_span_of(share, n), secret), BAD_KEY_SHARE);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rows),
      cmocka_unit_test(both_parts_in_order),
      cmocka_unit_test(bad_parts),
      cmocka_unit_test(bad_lengths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
