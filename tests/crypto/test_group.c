// Every row of the table of groups: both sides agree, libcrypto agrees with both, bad shares are refused.
#include <openssl/dh.h>
#include <openssl/evp.h>

#include "crypto/dh/dh.h"
#include "crypto/group.h"
#include "support/support.h"

#define GUARD 8
#define GUARD_BYTE 0xa5

// A field of an output, with bytes after it that must stay.
typedef struct guarded {
  uint8_t p[TN_GROUP_MAX_SHARE + TN_GROUP_MAX_PRIVATE + GUARD];
} guarded;

static guarded fresh(void) {
  guarded g;
  memset(g.p, GUARD_BYTE, sizeof g.p);
  return g;
}

static void assert_length(const guarded *g, size_t n) {
  assert_true(n + GUARD <= sizeof g->p);
  for (size_t i = n; i < sizeof g->p; i++) assert_int_equal(g->p[i], GUARD_BYTE);
}

static void the_table(void **state) {
  (void)state;
  // Our order of preference.
  static const struct {
    const tn_group *group;
    const char *name;
    uint16_t id, client_share_len, server_share_len, secret_len;
  } rows[] = {
      {&tn_group_x25519_mlkem768, "X25519MLKEM768", 4588, 1216, 1120, 64},
      {&tn_group_x25519, "x25519", 29, 32, 32, 32},
      {&tn_group_secp256r1, "secp256r1", 23, 65, 65, 32},
      {&tn_group_secp384r1, "secp384r1", 24, 97, 97, 48},
      {&tn_group_secp521r1, "secp521r1", 25, 133, 133, 66},
      {&tn_group_secp256r1_mlkem768, "SecP256r1MLKEM768", 4587, 1249, 1153, 64},
      {&tn_group_secp384r1_mlkem1024, "SecP384r1MLKEM1024", 4589, 1665, 1665, 80},
      {&tn_group_ffdhe2048, "ffdhe2048", 256, 256, 256, 256},
      {&tn_group_ffdhe3072, "ffdhe3072", 257, 384, 384, 384},
      {&tn_group_ffdhe4096, "ffdhe4096", 258, 512, 512, 512},
      {&tn_group_ffdhe6144, "ffdhe6144", 259, 768, 768, 768},
      {&tn_group_ffdhe8192, "ffdhe8192", 260, 1024, 1024, 1024},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    assert_ptr_equal(tn_groups[i], rows[i].group);
    assert_string_equal(rows[i].group->name, rows[i].name);
    assert_int_equal(rows[i].group->id, rows[i].id);
    assert_int_equal(rows[i].group->client_share_len, rows[i].client_share_len);
    assert_int_equal(rows[i].group->server_share_len, rows[i].server_share_len);
    assert_int_equal(rows[i].group->secret_len, rows[i].secret_len);
    assert_int_equal(rows[i].group->costly, rows[i].secret_len > 512);
  }
  assert_null(tn_groups[COUNT(rows)]);
  for (size_t i = 0; tn_groups[i] != NULL; i++) {
    const tn_group *g = tn_groups[i];
    assert_ptr_equal(tn_group_find(g->id), g);
    assert_in_range(g->private_len, 1, TN_GROUP_MAX_PRIVATE);
    assert_in_range(g->client_share_len, 1, TN_GROUP_MAX_SHARE);
    assert_in_range(g->server_share_len, 1, TN_GROUP_MAX_SHARE);
    assert_in_range(g->secret_len, 1, TN_GROUP_MAX_SECRET);
  }
  assert_null(tn_group_find(0));
  assert_null(tn_group_find(0xffff));
  assert_null(tn_group_find(0x0a0a));
}

// Fewer where each takes long.
static int rounds_of(const tn_group *g, int rounds) { return g->costly ? 1 : g->secret_len > 128 ? 3 : rounds; }

static void both_sides_agree(void **state) {
  (void)state;
  test_rng seed = {1};
  const tn_rng given = test_rng_as_rng(&seed);
  for (size_t i = 0; tn_groups[i] != NULL; i++) {
    const tn_group *g = tn_groups[i];
    guarded previous = fresh();
    for (int round = 0; round < rounds_of(g, 60); round++) {
      const tn_rng *rng = round % 4 == 0 ? NULL : &given;
      guarded priv = fresh(), client = fresh(), server = fresh(), ours = fresh(), theirs = fresh();
      assert_ok(g->generate(rng, priv.p, client.p));
      assert_ok(g->answer(rng, (tn_span){client.p, g->client_share_len}, server.p, ours.p));
      assert_ok(g->finish(priv.p, (tn_span){server.p, g->server_share_len}, theirs.p));
      assert_length(&priv, g->private_len);
      assert_length(&client, g->client_share_len);
      assert_length(&server, g->server_share_len);
      assert_length(&ours, g->secret_len);
      assert_length(&theirs, g->secret_len);
      assert_memory_equal(ours.p, theirs.p, g->secret_len);
      assert_memory_not_equal(ours.p, previous.p, g->secret_len);
      previous = ours;
    }
  }
}

static const struct {
  const tn_group *group;
  const char *type, *name;
} libcrypto_names[] = {
    {&tn_group_x25519, "X25519", NULL},       {&tn_group_secp256r1, "EC", "P-256"},
    {&tn_group_secp384r1, "EC", "P-384"},     {&tn_group_secp521r1, "EC", "P-521"},
    {&tn_group_ffdhe2048, "DH", "ffdhe2048"}, {&tn_group_ffdhe3072, "DH", "ffdhe3072"},
    {&tn_group_ffdhe4096, "DH", "ffdhe4096"}, {&tn_group_ffdhe6144, "DH", "ffdhe6144"},
    {&tn_group_ffdhe8192, "DH", "ffdhe8192"},
};

// libcrypto's key, its share in `share`.
static EVP_PKEY *libcrypto_key(size_t i, uint8_t *share) {
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, libcrypto_names[i].type, NULL);
  EVP_PKEY *key = NULL;
  unsigned char *encoded = NULL;
  assert_int_equal(EVP_PKEY_keygen_init(ctx), 1);
  if (libcrypto_names[i].name != NULL) assert_int_equal(EVP_PKEY_CTX_set_group_name(ctx, libcrypto_names[i].name), 1);
  assert_int_equal(EVP_PKEY_generate(ctx, &key), 1);
  EVP_PKEY_CTX_free(ctx);
  assert_non_null(key);
  const size_t n = EVP_PKEY_get1_encoded_public_key(key, &encoded);
  assert_int_equal(n, libcrypto_names[i].group->client_share_len);
  memcpy(share, encoded, n);
  OPENSSL_free(encoded);
  return key;
}

static void libcrypto_secret(EVP_PKEY *key, tn_span share, uint8_t *secret, size_t secret_len) {
  EVP_PKEY *peer = EVP_PKEY_new();
  size_t n = secret_len;
  assert_int_equal(EVP_PKEY_copy_parameters(peer, key), 1);
  assert_int_equal(EVP_PKEY_set1_encoded_public_key(peer, share.p, share.n), 1);
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
  assert_true(EVP_PKEY_derive_init(ctx) == 1 && EVP_PKEY_derive_set_peer(ctx, peer) == 1);
  if (EVP_PKEY_is_a(key, "DH")) assert_int_equal(EVP_PKEY_CTX_set_dh_pad(ctx, 1), 1);
  assert_true(EVP_PKEY_derive(ctx, secret, &n) == 1 && n == secret_len);
  EVP_PKEY_CTX_free(ctx);
  EVP_PKEY_free(peer);
}

static void libcrypto_agrees(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(libcrypto_names); i++) {
    const tn_group *g = libcrypto_names[i].group;
    for (int round = 0; round < rounds_of(g, 30); round++) {
      uint8_t theirs[TN_GROUP_MAX_SHARE], ours[TN_GROUP_MAX_SHARE], priv[TN_GROUP_MAX_PRIVATE];
      uint8_t secret[TN_GROUP_MAX_SECRET], wanted[TN_GROUP_MAX_SECRET];
      EVP_PKEY *key = libcrypto_key(i, theirs);

      assert_ok(g->answer(NULL, (tn_span){theirs, g->client_share_len}, ours, secret));
      libcrypto_secret(key, (tn_span){ours, g->server_share_len}, wanted, g->secret_len);
      assert_memory_equal(secret, wanted, g->secret_len);

      assert_ok(g->generate(NULL, priv, ours));
      assert_ok(g->finish(priv, (tn_span){theirs, g->server_share_len}, secret));
      libcrypto_secret(key, (tn_span){ours, g->client_share_len}, wanted, g->secret_len);
      assert_memory_equal(secret, wanted, g->secret_len);
      EVP_PKEY_free(key);
    }
  }
}

// Both sides refuse the share.
static void assert_refused(const tn_group *g, tn_span share) {
  uint8_t priv[TN_GROUP_MAX_PRIVATE], own[TN_GROUP_MAX_SHARE], secret[TN_GROUP_MAX_SECRET];
  assert_ok(g->generate(NULL, priv, own));
  assert_fails(g->finish(priv, share, secret), BAD_KEY_SHARE);
  assert_fails(g->answer(NULL, share, own, secret), BAD_KEY_SHARE);
}

static void bad_lengths(void **state) {
  (void)state;
  for (size_t i = 0; tn_groups[i] != NULL; i++) {
    const tn_group *g = tn_groups[i];
    uint8_t priv[TN_GROUP_MAX_PRIVATE], share[TN_GROUP_MAX_SHARE + 100] = {0}, answer[TN_GROUP_MAX_SHARE];
    uint8_t secret[TN_GROUP_MAX_SECRET];
    assert_ok(g->generate(NULL, priv, share));
    for (size_t n = 0; n <= sizeof share; n++) {
      if (n != g->client_share_len) assert_fails(g->answer(NULL, (tn_span){share, n}, answer, secret), BAD_KEY_SHARE);
      if (n != g->server_share_len) assert_fails(g->finish(priv, (tn_span){share, n}, secret), BAD_KEY_SHARE);
    }
    assert_refused(g, (tn_span){NULL, 0});
    assert_int_equal(g->finish(priv, (tn_span){NULL, 0}, share).alert, TN_ALERT_ILLEGAL_PARAMETER);
  }
}

static const struct {
  const tn_group *group;
  const char *what, *share;
} bad_shares[] = {
    // Every u whose order divides 8 on the curve or its twist, and what is equal to one modulo p.
    {&tn_group_x25519, "0", "0000000000000000000000000000000000000000000000000000000000000000"},
    {&tn_group_x25519, "1", "0100000000000000000000000000000000000000000000000000000000000000"},
    {&tn_group_x25519, "order 8", "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"},
    {&tn_group_x25519, "order 8", "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"},
    {&tn_group_x25519, "p - 1", "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"},
    {&tn_group_x25519, "p", "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"},
    {&tn_group_x25519, "p + 1", "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"},
    {&tn_group_x25519, "0 with bit 255", "0000000000000000000000000000000000000000000000000000000000000080"},
    {&tn_group_x25519, "1 with bit 255", "0100000000000000000000000000000000000000000000000000000000000080"},
    {&tn_group_x25519, "p with bit 255", "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"},

    {&tn_group_secp256r1, "zeros",
     "00 0000000000000000000000000000000000000000000000000000000000000000"
     "0000000000000000000000000000000000000000000000000000000000000000"},
    {&tn_group_secp256r1, "(0, 0)",
     "04 0000000000000000000000000000000000000000000000000000000000000000"
     "0000000000000000000000000000000000000000000000000000000000000000"},
    {&tn_group_secp256r1, "infinity", "00"},
    {&tn_group_secp256r1, "the base point, compressed",
     "03 6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"},
    {&tn_group_secp256r1, "the base point, hybrid",
     "07 6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
     "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"},
    {&tn_group_secp256r1, "beside the base point",
     "04 6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
     "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f4"},
    {&tn_group_secp256r1, "x + p of the point with x = 5",
     "04 ffffffff00000001000000000000000000000001000000000000000000000004"
     "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc"},
    {&tn_group_secp256r1, "all ones",
     "04 ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
     "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"},

    {&tn_group_secp384r1, "zeros",
     "00"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"},
    {&tn_group_secp384r1, "(0, 0)",
     "04"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"},
    {&tn_group_secp384r1, "infinity", "00"},
    {&tn_group_secp384r1, "the base point, compressed",
     "03"
     "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7"},
    {&tn_group_secp384r1, "the base point, hybrid",
     "07"
     "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7"
     "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f"},
    {&tn_group_secp384r1, "beside the base point",
     "04"
     "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7"
     "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5e"},
    {&tn_group_secp384r1, "x + p of the point with x = 2",
     "04"
     "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff000000000000000100000001"
     "8cdeadbbd04911a3c1931e26df3fa6439dca9c7eb286fbd46fc319f0e2bb780232baf57825fc0c1912ada2fefe84024c"},
    {&tn_group_secp384r1, "all ones",
     "04"
     "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
     "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"},

    {&tn_group_secp521r1, "zeros",
     "00"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000"},
    {&tn_group_secp521r1, "(0, 0)",
     "04"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000"},
    {&tn_group_secp521r1, "infinity", "00"},
    {&tn_group_secp521r1, "the base point, compressed",
     "02"
     "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ff"
     "a8de3348b3c1856a429bf97e7e31c2e5bd66"},
    {&tn_group_secp521r1, "the base point, hybrid",
     "06"
     "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ff"
     "a8de3348b3c1856a429bf97e7e31c2e5bd66"
     "011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad"
     "0761353c7086a272c24088be94769fd16650"},
    {&tn_group_secp521r1, "beside the base point",
     "04"
     "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ff"
     "a8de3348b3c1856a429bf97e7e31c2e5bd66"
     "011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad"
     "0761353c7086a272c24088be94769fd16651"},
    {&tn_group_secp521r1, "x + p of the point with x = 1",
     "04"
     "020000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000"
     "0010e59be93c4f269c0269c79e2afd65d6aeaa9b701eacc194fb3ee03df47849bf550ec636ebee0ddd4a16f1cd940660"
     "5af38f584567770e3f272d688c832e843564"},
    {&tn_group_secp521r1, "all ones",
     "04"
     "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
     "ffffffffffffffffffffffffffffffffffff"
     "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
     "ffffffffffffffffffffffffffffffffffff"},
};

// 0, 1, p - 1, p and all ones. Groups that take long have them in test_dh.c.
static void bad_residues(void **state) {
  (void)state;
  for (const tn_dh_group *dh = tn_dh_groups; dh->id != 0; dh++) {
    const tn_group *g = tn_group_find(dh->id);
    if (g->costly) continue;
    uint8_t p[TN_GROUP_MAX_SHARE] = {0};
    const tn_span share = {p, dh->len};
    assert_refused(g, share);
    p[dh->len - 1] = 1;
    assert_refused(g, share);
    memset(p, 0xff, dh->len);
    assert_refused(g, share);
    for (size_t i = 0; i < dh->len; i++) p[dh->len - 1 - i] = (uint8_t)(dh->p[i / 8] >> 8 * (i % 8));
    assert_refused(g, share);
    p[dh->len - 1] -= 1;
    assert_refused(g, share);
    p[dh->len - 1] -= 1;
    uint8_t priv[TN_GROUP_MAX_PRIVATE], own[TN_GROUP_MAX_SHARE], secret[TN_GROUP_MAX_SECRET];
    assert_ok(g->generate(NULL, priv, own));
    assert_ok(g->finish(priv, share, secret));
  }
}

static void bad_points(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(bad_shares); i++) {
    bytes share = bytes_from_hex(bad_shares[i].share);
    assert_refused(bad_shares[i].group, bytes_span(share));
    bytes_free(&share);
  }
}

static tn_result fill_fails(void *ctx, uint8_t *out, size_t n) {
  (void)ctx, (void)out, (void)n;
  return tn_fail(TN_E_SYSTEM);
}

static void a_failing_rng(void **state) {
  (void)state;
  const tn_rng rng = {fill_fails, NULL};
  for (size_t i = 0; tn_groups[i] != NULL; i++) {
    const tn_group *g = tn_groups[i];
    uint8_t priv[TN_GROUP_MAX_PRIVATE], client[TN_GROUP_MAX_SHARE], server[TN_GROUP_MAX_SHARE];
    uint8_t secret[TN_GROUP_MAX_SECRET];
    assert_fails(g->generate(&rng, priv, client), SYSTEM);
    assert_ok(g->generate(NULL, priv, client));
    assert_fails(g->answer(&rng, (tn_span){client, g->client_share_len}, server, secret), SYSTEM);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table),     cmocka_unit_test(both_sides_agree), cmocka_unit_test(libcrypto_agrees),
      cmocka_unit_test(bad_lengths),   cmocka_unit_test(bad_points),       cmocka_unit_test(bad_residues),
      cmocka_unit_test(a_failing_rng),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
