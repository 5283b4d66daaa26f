// Certificates of each type of key in TLS 1.3: which scheme a server signs with, and which a client takes.
#include "pki/identity.h"
#include "pki/key.h"
#include "support/rsa_key.h"
#include "tls/support/script.h"

// A key of this type; RSA's is always the same.
static tn_key *new_key(tn_key_type type, tn_pss_params pss) {
  static const char *const names[] = {
      [TN_KEY_P256] = "p256", [TN_KEY_P384] = "p384", [TN_KEY_P521] = "p521", [TN_KEY_ED25519] = "ed25519"};
  tn_key *key;
  if (!tn_key_is_rsa(type)) {
    assert_ok(tn_key_generate(NULL, names[type], &key));
    return key;
  }
  tn_key rsa = {0};
  assert_ok(tn_secret_key_load_rsa(&rsa.secret, NULL, type, rsa_key_parts));
  rsa.secret.pss = pss;
  assert_ok(tn_key_copy(NULL, &rsa, &key));
  tn_secret_key_free(&rsa.secret);
  return key;
}

// A pair whose server has an identity with such a key.
static void open_pair(pair *p, tn_key_type type, tn_pss_params pss) {
  pair_make(p, NULL);
  tn_key *key = new_key(type, pss);
  tn_identity_unref(p->pki.identity);
  p->pki.identity = pki_set_issue_for(&p->pki, PAIR_NAME, key);
  tn_config_unref(p->server_config);
  assert_ok(tn_config_new(TN_SERVER, NULL, &p->server_config));
  assert_ok(tn_config_add_identity(p->server_config, p->pki.identity));
  tn_key_free(key);
}

static const tn_pss_params unbound = {NULL, 0};

static void a_server_signs_with_what_the_client_takes(void **state) {
  (void)state;
  static const struct {
    tn_key_type type;
    tn_pss_params pss;
    const char *offered;  // the extension's body
    uint16_t chosen;      // 0: nothing in common
  } rows[] = {
      {TN_KEY_P384, {0}, "0002 0503", 0x0503},
      {TN_KEY_P521, {0}, "0002 0603", 0x0603},
      {TN_KEY_ED25519, {0}, "0002 0807", 0x0807},
      {TN_KEY_ED25519, {0}, "0004 0403 0804", 0},
      {TN_KEY_RSA, {0}, "0002 0804", 0x0804},
      {TN_KEY_RSA, {0}, "0002 0805", 0x0805},
      {TN_KEY_RSA, {0}, "0002 0806", 0x0806},
      {TN_KEY_RSA, {0}, "0006 0806 0805 0804", 0x0804},
      {TN_KEY_RSA, {0}, "0008 0401 0501 0601 0201", 0},  // PKCS#1: for certificates alone
      {TN_KEY_RSA, {0}, "0006 0809 080a 080b", 0},
      {TN_KEY_RSA, {0}, "0004 0403 0807", 0},
      {TN_KEY_RSA_PSS, {0}, "0002 0809", 0x0809},
      {TN_KEY_RSA_PSS, {0}, "0002 080a", 0x080a},
      {TN_KEY_RSA_PSS, {0}, "0002 080b", 0x080b},
      {TN_KEY_RSA_PSS, {0}, "0006 0804 0805 0806", 0},
      {TN_KEY_RSA_PSS, {&tn_sha384, 48}, "0006 0809 080a 080b", 0x080a},
      {TN_KEY_RSA_PSS, {&tn_sha384, 48}, "0004 0809 080b", 0},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    pair p;
    script s;
    hello h;
    open_pair(&p, rows[i].type, rows[i].pss);
    script_open(&s, &p, TN_CLIENT);
    hello_client(&s, &h);
    ext_set(&h.ext, 13, rows[i].offered);
    if (rows[i].chosen != 0) {
      assert_ok(script_hello(&s, &h));
      assert_int_equal(s.engine->scheme->id, rows[i].chosen);
      script_take_server_flight(&s);
      assert_ok(script_finished(&s));
    } else {
      script_hello(&s, &h);
      script_expect(&s, rows[i].offered, TN_ALERT_HANDSHAKE_FAILURE);
    }
    script_close(&s);
    pair_free(&p);
  }
}

static void a_client_takes_what_fits_the_key(void **state) {
  (void)state;
  static const struct {
    tn_key_type type;
    tn_pss_params pss;
    uint16_t scheme;
    bool good;
  } rows[] = {
      {TN_KEY_ED25519, {0}, 0x0807, true},  {TN_KEY_ED25519, {0}, 0x0403, false}, {TN_KEY_P384, {0}, 0x0503, true},
      {TN_KEY_RSA, {0}, 0x0804, true},      {TN_KEY_RSA, {0}, 0x0805, true},      {TN_KEY_RSA, {0}, 0x0806, true},
      {TN_KEY_RSA, {0}, 0x0809, false},     {TN_KEY_RSA, {0}, 0x0401, false},     {TN_KEY_RSA, {0}, 0x0501, false},
      {TN_KEY_RSA, {0}, 0x0601, false},     {TN_KEY_RSA, {0}, 0x0201, false},     {TN_KEY_RSA, {0}, 0x0403, false},
      {TN_KEY_RSA_PSS, {0}, 0x0809, true},  {TN_KEY_RSA_PSS, {0}, 0x080b, true},  {TN_KEY_RSA_PSS, {0}, 0x0804, false},
      {TN_KEY_RSA_PSS, {0}, 0x0401, false},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    pair p;
    script s;
    open_pair(&p, rows[i].type, rows[i].pss);
    script_reach(&s, &p, TN_CLIENT_WAIT_CERTIFICATE_VERIFY);
    const tn_result r = script_certificate_verify(&s, rows[i].scheme);
    if (rows[i].good)
      assert_ok(r);
    else
      script_expect(&s, "the scheme", TN_ALERT_ILLEGAL_PARAMETER);
    script_close(&s);
    pair_free(&p);
  }
}

// Signatures of every length around the right one, and far beyond.
static void the_length_of_an_rsa_signature_counts(void **state) {
  (void)state;
  static const size_t lengths[] = {0, 1, 255, 256, 257, 1024, 1025, 16000};
  pair p;
  open_pair(&p, TN_KEY_RSA, unbound);
  for (size_t i = 0; i < COUNT(lengths); i++) {
    script s;
    static uint8_t body[4 + 16000];
    tn_writer w = tn_writer_fixed(body, sizeof body);
    tn_write_u16(&w, 0x0804);
    tn_write_u16(&w, (uint16_t)lengths[i]);
    memset(tn_write_space(&w, lengths[i] + (lengths[i] == 0)), 0x11, lengths[i]);
    script_reach(&s, &p, TN_CLIENT_WAIT_CERTIFICATE_VERIFY);
    script_handshake(&s, TN_MSG_CERTIFICATE_VERIFY, tn_span_of(body, 4 + lengths[i]));
    script_expect(&s, "a signature of another length", TN_ALERT_DECRYPT_ERROR);
    script_close(&s);
  }
  pair_free(&p);
}

static void each_type_between_ourselves(void **state) {
  (void)state;
  static const struct {
    tn_key_type type;
    tn_pss_params pss;
    uint16_t scheme;
  } rows[] = {{TN_KEY_P256, {0}, 0x0403},
              {TN_KEY_P384, {0}, 0x0503},
              {TN_KEY_P521, {0}, 0x0603},
              {TN_KEY_ED25519, {0}, 0x0807},
              {TN_KEY_RSA, {0}, 0x0804},
              {TN_KEY_RSA_PSS, {0}, 0x0809},
              {TN_KEY_RSA_PSS, {&tn_sha512, 64}, 0x080b}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    pair p;
    open_pair(&p, rows[i].type, rows[i].pss);
    pair_connect(&p);
    pair_handshake(&p);
    assert_int_equal(p.client->scheme->id, rows[i].scheme);
    assert_int_equal(p.server->scheme->id, rows[i].scheme);
    pair_exchange(p.server, p.client, 1000);
    pair_free(&p);
  }
}

// ---------------------------------------------------------------- several certificates for one name

// The scheme that a server with these identities answers a client with, by name (an empty one: none is sent) and by the
// schemes that the client takes; 0: handshake_failure.
static uint16_t answer(pair *p, const char *name, const char *offered) {
  script s;
  hello h;
  script_open(&s, p, TN_CLIENT);
  hello_client(&s, &h);
  ext_set(&h.ext, 13, offered);
  ext_remove(&h.ext, 0);
  const size_t n = strlen(name);
  if (n != 0) {
    uint8_t body[300] = {0, (uint8_t)(n + 3), 0, 0, (uint8_t)n};
    memcpy(body + 5, name, n);
    ext_set_bytes(&h.ext, 0, body, n + 5);
  }
  const tn_result r = script_hello(&s, &h);
  uint16_t scheme = 0;
  if (tn_ok(r))
    scheme = s.engine->scheme->id;
  else
    assert_int_equal(r.reason, TN_E_NO_COMMON_SIGNATURE);
  script_close(&s);
  return scheme;
}

static void a_name_may_have_a_certificate_of_each_type(void **state) {
  (void)state;
  static const struct {
    const char *name;
    tn_key_type type;
  } identities[] = {
      {"both.example", TN_KEY_RSA},      {"both.example", TN_KEY_P256},  {"both.example", TN_KEY_ED25519},
      {"both.example", TN_KEY_P256},     {"rsa.example", TN_KEY_RSA},    {"p384.example", TN_KEY_P384},
      {"*.wild.example", TN_KEY_P256},   {"*.wild.example", TN_KEY_RSA}, {"exact.wild.example", TN_KEY_ED25519},
      {"other.example", TN_KEY_RSA_PSS},
  };
  static const struct {
    const char *name, *offered;
    uint16_t scheme;
  } rows[] = {
      {"both.example", "000a 0804 0403 0807 0809 0503", 0x0403},
      {"both.example", "0004 0804 0807", 0x0807},
      {"BOTH.example", "0004 0804 0503", 0x0804},
      {"both.example", "0004 0809 0503", 0},
      {"rsa.example", "0004 0403 0805", 0x0805},
      {"rsa.example", "0002 0403", 0},
      {"p384.example", "0004 0804 0503", 0x0503},
      {"a.wild.example", "0004 0804 0403", 0x0403},
      {"a.wild.example", "0002 0804", 0x0804},
      {"exact.wild.example", "0004 0403 0807", 0x0807},  // the exact name alone counts
      {"exact.wild.example", "0002 0403", 0},
      {"nobody.example", "0004 0403 0804", 0x0804},  // the first of all
      {"nobody.example", "0004 0503 0403", 0x0403},
      {"", "0002 0809", 0x0809},
      {"", "0002 0603", 0},
  };
  pair p;
  pair_make(&p, NULL);
  tn_config_unref(p.server_config);
  assert_ok(tn_config_new(TN_SERVER, NULL, &p.server_config));
  for (size_t i = 0; i < COUNT(identities); i++) {
    tn_key *key = new_key(identities[i].type, unbound);
    tn_identity *identity = pki_set_issue_for(&p.pki, identities[i].name, key);
    assert_ok(tn_config_add_identity(p.server_config, identity));
    tn_identity_unref(identity);
    tn_key_free(key);
  }
  for (size_t i = 0; i < COUNT(rows); i++) {
    const uint16_t scheme = answer(&p, rows[i].name, rows[i].offered);
    if (scheme != rows[i].scheme) fail_msg("`%s`, %s: %04x", rows[i].name, rows[i].offered, scheme);
  }
  pair_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_server_signs_with_what_the_client_takes),  cmocka_unit_test(a_client_takes_what_fits_the_key),
      cmocka_unit_test(the_length_of_an_rsa_signature_counts),      cmocka_unit_test(each_type_between_ourselves),
      cmocka_unit_test(a_name_may_have_a_certificate_of_each_type),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
