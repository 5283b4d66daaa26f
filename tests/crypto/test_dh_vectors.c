// Finite-field Diffie-Hellman on published vectors: NIST's CAVS, and those of Botan, BoringSSL and OpenSSL.
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "dh_oracle.h"
#include "support/rsp.h"

// ---------------------------------------------------------------- one side's numbers

typedef struct side {
  BIGNUM *p, *g, *x, *y;  // x NULL: a public key
} side;

static void side_free(side *s) { BN_free(s->p), BN_free(s->g), BN_free(s->x), BN_free(s->y); }

static const tn_dh_group *group_of(tn_dh_own *own, const side *s) {
  dh_own_of(own, s->p, s->g, (size_t)BN_num_bits(s->x));
  return &own->group;
}

// Whether y is the share of x: the exponent's own bits are what is drawn.
static bool is_pair(const side *s) {
  tn_dh_own own;
  const tn_dh_group *group = group_of(&own, s);
  uint8_t drawn[TN_DH_MAX_PRIVATE], priv[TN_DH_MAX_PRIVATE], share[TN_DH_MAX_BYTES];
  assert_true(BN_bn2binpad(s->x, drawn, (int)tn_dh_private_len(group)) > 0);
  const tn_rng rng = {give_bytes, drawn};
  assert_ok(tn_dh_generate(group, &rng, priv, share));
  assert_memory_equal(priv, drawn, tn_dh_private_len(group));
  BIGNUM *ours = bn_of(share, group->len);
  const bool same = BN_cmp(ours, s->y) == 0;
  BN_free(ours);
  return same;
}

static tn_result secret_of(const side *s, const BIGNUM *peer, uint8_t *secret) {
  tn_dh_own own;
  const tn_dh_group *group = group_of(&own, s);
  uint8_t priv[TN_DH_MAX_PRIVATE], share[2 * TN_DH_MAX_BYTES];
  assert_true(BN_bn2binpad(s->x, priv, (int)tn_dh_private_len(group)) > 0);
  const int n = BN_bn2bin(peer, share);
  return tn_dh_secret(group, priv, (tn_span){share, (size_t)n}, secret);
}

// Whether the secret is `wanted`, with its leading zeros or without.
static bool makes(const side *s, const BIGNUM *peer, const BIGNUM *wanted) {
  uint8_t secret[TN_DH_MAX_BYTES];
  assert_ok(secret_of(s, peer, secret));
  BIGNUM *z = bn_of(secret, (size_t)BN_num_bytes(s->p));
  const bool same = BN_cmp(z, wanted) == 0;
  BN_free(z);
  return same;
}

// ---------------------------------------------------------------- NIST and Botan

static BIGNUM *rsp_bn(const rsp *r, const char *name) {
  const char *text = rsp_text(r, name);
  return text == NULL ? NULL : bn_of_hex(text);
}

static BIGNUM *rsp_decimal(const rsp *r, const char *name) {
  BIGNUM *n = NULL;
  assert_true(BN_dec2bn(&n, rsp_text(r, name)) > 0);
  return n;
}

// Stanzas of the headings [FB - SHA224] and so on; p, q and g are those of the stanza before the first.
static void cavp(const char *path) {
  rsp *r = rsp_open(path);
  side s = {0};
  size_t n = 0;
  while (rsp_next(r)) {
    if (rsp_text(r, "G") != NULL) {
      BN_free(s.p), BN_free(s.g);
      s.p = rsp_bn(r, "P");
      s.g = rsp_bn(r, "G");
    }
    if (rsp_text(r, "COUNT") == NULL) continue;
    s.x = rsp_bn(r, "XstatIUT");
    s.y = rsp_bn(r, "YstatIUT");
    BIGNUM *peer = rsp_bn(r, "YstatCAVS"), *z = rsp_bn(r, "Z");
    const char *result = rsp_text(r, "Result");
    // 1: the peer's share is not in the subgroup; 3 and 4: our pair is none; 5: Z is another.
    const bool passes = result[0] == 'P', our_fault = result[3] == '3' || result[3] == '4';
    assert_int_equal(is_pair(&s), !our_fault);
    if (passes) assert_true(makes(&s, peer, z));
    if (result[3] == '5') assert_false(makes(&s, peer, z));
    BN_free(s.x), BN_free(s.y), BN_free(peer), BN_free(z);
    s.x = s.y = NULL;
    n++;
  }
  assert_true(n > 30);
  side_free(&s);
  rsp_close(r);
}

static void cavp_initiator(void **state) {
  (void)state;
  cavp("cavp/dh/KASValidityTest_FFCStatic_NOKC_ZZOnly_init.fax");
}

static void cavp_responder(void **state) {
  (void)state;
  cavp("cavp/dh/KASValidityTest_FFCStatic_NOKC_ZZOnly_resp.fax");
}

static void botan(void **state) {
  (void)state;
  rsp *r = rsp_open("cavp/dh/vec.txt");
  size_t n = 0;
  for (; rsp_next(r); n++) {
    side s = {rsp_decimal(r, "P"), rsp_decimal(r, "G"), rsp_decimal(r, "X"), NULL};
    BIGNUM *peer = rsp_decimal(r, "Y"), *k = rsp_bn(r, "K");
    assert_true(makes(&s, peer, k));
    BN_free(peer), BN_free(k);
    side_free(&s);
  }
  assert_true(n >= 5);
  rsp_close(r);
}

// Two sides with different moduli.
static void mismatched_pairs(void **state) {
  (void)state;
  rsp *r = rsp_open("cavp/dh/bad_exchange.txt");
  size_t n = 0;
  for (; rsp_next(r); n++) {
    side a = {rsp_decimal(r, "P1"), rsp_decimal(r, "G"), rsp_decimal(r, "X1"), rsp_decimal(r, "Y1")};
    side b = {rsp_decimal(r, "P2"), rsp_decimal(r, "G"), rsp_decimal(r, "X2"), rsp_decimal(r, "Y2")};
    uint8_t za[TN_DH_MAX_BYTES], zb[TN_DH_MAX_BYTES];
    assert_true(is_pair(&a) && is_pair(&b));
    if (BN_cmp(b.y, a.p) >= 0) {
      assert_fails(secret_of(&a, b.y, za), BAD_KEY_SHARE);
    } else {
      assert_ok(secret_of(&a, b.y, za));
      assert_ok(secret_of(&b, a.y, zb));
      assert_memory_not_equal(za, zb, 64);
    }
    side_free(&a);
    side_free(&b);
  }
  assert_true(n >= 2);
  rsp_close(r);
}

// ---------------------------------------------------------------- keys with names

#define MAX_KEYS 32

typedef struct keys {
  size_t n;
  struct {
    char name[64];
    side s;
  } at[MAX_KEYS];
} keys;

static void keep(keys *k, const char *name, side s) {
  assert_true(k->n < MAX_KEYS);
  snprintf(k->at[k->n].name, sizeof k->at->name, "%s", name);
  k->at[k->n++].s = s;
}

static const side *find(const keys *k, const char *name) {
  for (size_t i = 0; i < k->n; i++)
    if (strcmp(k->at[i].name, name) == 0) return &k->at[i].s;
  fail_msg("no key %s", name);
  return NULL;
}

static void keys_free(keys *k) {
  for (size_t i = 0; i < k->n; i++) side_free(&k->at[i].s);
}

static bool same_group(const side *a, const side *b) { return BN_cmp(a->p, b->p) == 0 && BN_cmp(a->g, b->g) == 0; }

static void boringssl(void **state) {
  (void)state;
  rsp *r = rsp_open("evp/boringssl/dh_tests.txt");
  keys k = {0};
  size_t secrets = 0;
  while (rsp_next(r)) {
    if (rsp_text(r, "DHKey") != NULL) {
      side s = {rsp_bn(r, "P"), rsp_bn(r, "G"), rsp_bn(r, "Private"), rsp_bn(r, "Public")};
      if (s.x != NULL && strcmp(rsp_text(r, "DHKey"), "DH-WrongGroup") != 0) assert_true(is_pair(&s));
      keep(&k, rsp_text(r, "DHKey"), s);
    } else if (rsp_text(r, "Output") != NULL) {
      BIGNUM *z = rsp_bn(r, "Output");
      assert_true(makes(find(&k, rsp_text(r, "Derive")), find(&k, rsp_text(r, "DerivePeer"))->y, z));
      BN_free(z);
      secrets++;
    }
  }
  assert_true(secrets >= 4);
  keys_free(&k);
  rsp_close(r);
}

// The PEM lines at the reader.
static side read_pem(FILE *file, bool private) {
  EVP_PKEY *key = private ? PEM_read_PrivateKey(file, NULL, NULL, NULL) : PEM_read_PUBKEY(file, NULL, NULL, NULL);
  side s = {0};
  assert_non_null(key);
  assert_int_equal(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_FFC_P, &s.p), 1);
  assert_int_equal(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_FFC_G, &s.g), 1);
  if (private) assert_int_equal(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &s.x), 1);
  if (!private) assert_int_equal(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PUB_KEY, &s.y), 1);
  EVP_PKEY_free(key);
  return s;
}

typedef struct derivation {
  char own[64], peer[64], secret[2 * TN_DH_MAX_BYTES + 1];
  bool kdf, refused;
} derivation;

// How many secrets were compared.
static size_t derive(const keys *k, const derivation *d) {
  if (d->own[0] == 0) return 0;
  const side *own = find(k, d->own), *peer = find(k, d->peer);
  uint8_t secret[TN_DH_MAX_BYTES];
  if (d->refused && same_group(own, peer)) assert_fails(secret_of(own, peer->y, secret), BAD_KEY_SHARE);
  if (d->refused || d->kdf) return 0;
  BIGNUM *z = bn_of_hex(d->secret);
  assert_true(makes(own, peer->y, z));
  BN_free(z);
  return 1;
}

static void openssl(const char *path, size_t least) {
  char full[512], line[4096];
  vectors_path(path, full, sizeof full);
  FILE *file = fopen(full, "r");
  assert_non_null(file);
  keys k = {0};
  derivation d = {0};
  size_t secrets = 0, pairs = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = 0;
    char *value = strchr(line, '=');
    if (line[0] == 0) {
      secrets += derive(&k, &d);
      d = (derivation){0};
    }
    if (value == NULL || line[0] == '#') continue;
    *value++ = 0;
    value += strspn(value, " ");
    if (strcmp(line, "PrivateKey") == 0) keep(&k, value, read_pem(file, true));
    if (strcmp(line, "PublicKey") == 0) keep(&k, value, read_pem(file, false));
    if (strcmp(line, "Derive") == 0) snprintf(d.own, sizeof d.own, "%s", value);
    if (strncmp(line, "PeerKey", 7) == 0) snprintf(d.peer, sizeof d.peer, "%s", value);
    if (strcmp(line, "SharedSecret") == 0) snprintf(d.secret, sizeof d.secret, "%s", value);
    if (strncmp(line, "Ctrl", 4) == 0 && strncmp(value, "kdf", 3) == 0) d.kdf = true;
    if (strncmp(line, "Result", 6) == 0) d.refused = true;
    if (strcmp(line, "PrivPubKeyPair") == 0) {
      char *public = strchr(value, ':');
      *public ++ = 0;
      const side *own = find(&k, value);
      const side pair = {own->p, own->g, own->x, find(&k, public)->y};
      assert_true(is_pair(&pair));
      pairs++;
    }
  }
  secrets += derive(&k, &d);
  assert_true(secrets + pairs >= least);
  keys_free(&k);
  fclose(file);
}

static void openssl_ffdhe(void **state) {
  (void)state;
  openssl("evp/openssl/evppkey_ffdhe.txt", 21);
}

static void openssl_dh(void **state) {
  (void)state;
  openssl("evp/openssl/evppkey_dh.txt", 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cavp_initiator),   cmocka_unit_test(cavp_responder), cmocka_unit_test(botan),
      cmocka_unit_test(mismatched_pairs), cmocka_unit_test(boringssl),      cmocka_unit_test(openssl_ffdhe),
      cmocka_unit_test(openssl_dh),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
