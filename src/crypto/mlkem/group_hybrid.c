// Hybrid groups of draft-ietf-tls-ecdhe-mlkem: an exchange on a curve and ML-KEM, each share, key and secret of the one
// beside that of the other. Both must be broken to learn the secret.
#include "base/mem.h"
#include "crypto/group.h"
#include "crypto/mlkem/mlkem.h"

typedef struct hybrid {
  const tn_group *curve;
  const tn_mlkem *mlkem;
  bool mlkem_first;
} hybrid;

// Where the two parts of a field begin, with the lengths that they have in it.
typedef struct parts {
  size_t curve, mlkem;
} parts;

static parts parts_of(const hybrid *h, size_t curve_len, size_t mlkem_len) {
  return h->mlkem_first ? (parts){mlkem_len, 0} : (parts){0, curve_len};
}
static parts public_parts(const hybrid *h) { return parts_of(h, h->curve->client_share_len, h->mlkem->public_len); }
static parts private_parts(const hybrid *h) { return parts_of(h, h->curve->private_len, h->mlkem->private_len); }
static parts answer_parts(const hybrid *h) { return parts_of(h, h->curve->server_share_len, h->mlkem->ciphertext_len); }
static parts secret_parts(const hybrid *h) { return parts_of(h, h->curve->secret_len, TN_MLKEM_SECRET_LEN); }

static tn_result generate(const hybrid *h, const tn_rng *rng, uint8_t *priv, uint8_t *share) {
  const parts private = private_parts(h), public = public_parts(h);
  TN_TRY(tn_mlkem_generate(h->mlkem, rng, share + public.mlkem, priv + private.mlkem));
  return h->curve->generate(rng, priv + private.curve, share + public.curve);
}

static tn_result answer(const hybrid *h, const tn_rng *rng, tn_span client_share, uint8_t *share, uint8_t *secret) {
  const parts public = public_parts(h), ours = answer_parts(h), secrets = secret_parts(h);
  const size_t curve_len = h->curve->client_share_len, mlkem_len = h->mlkem->public_len;
  TN_ENSURE(client_share.n == curve_len + mlkem_len, TN_E_BAD_KEY_SHARE);
  const tn_span mlkem_public = {client_share.p + public.mlkem, mlkem_len};
  const tn_span curve_share = {client_share.p + public.curve, curve_len};
  TN_ENSURE(tn_ok(tn_mlkem_check_public(h->mlkem, mlkem_public)), TN_E_BAD_KEY_SHARE);
  TN_TRY(h->curve->answer(rng, curve_share, share + ours.curve, secret + secrets.curve));
  return tn_mlkem_encapsulate(h->mlkem, rng, mlkem_public, share + ours.mlkem, secret + secrets.mlkem);
}

static tn_result finish(const hybrid *h, const uint8_t *priv, tn_span server_share, uint8_t *secret) {
  const parts private = private_parts(h), theirs = answer_parts(h), secrets = secret_parts(h);
  const size_t curve_len = h->curve->server_share_len, mlkem_len = h->mlkem->ciphertext_len;
  TN_ENSURE(server_share.n == curve_len + mlkem_len, TN_E_BAD_KEY_SHARE);
  const tn_span curve_share = {server_share.p + theirs.curve, curve_len};
  const tn_span ciphertext = {server_share.p + theirs.mlkem, mlkem_len};
  TN_TRY(h->curve->finish(priv + private.curve, curve_share, secret + secrets.curve));
  return tn_mlkem_decapsulate(h->mlkem, priv + private.mlkem, ciphertext, secret + secrets.mlkem);
}

// The three functions of a group, bound to its parts, and its row. The lengths are those of the parts' rows, `curve`
// the length of its private key, `point` that of its shares.
#define GROUP(row, iana, number, curve_row, curve_len, point, mlkem_row, k_public, k_private, k_ciphertext, first) \
  static const hybrid parts_##row = {&curve_row, &mlkem_row, first};                                               \
  static tn_result generate_##row(const tn_rng *rng, uint8_t *priv, uint8_t *share) {                              \
    return generate(&parts_##row, rng, priv, share);                                                               \
  }                                                                                                                \
  static tn_result answer_##row(const tn_rng *rng, tn_span client_share, uint8_t *share, uint8_t *secret) {        \
    return answer(&parts_##row, rng, client_share, share, secret);                                                 \
  }                                                                                                                \
  static tn_result finish_##row(const uint8_t *priv, tn_span server_share, uint8_t *secret) {                      \
    return finish(&parts_##row, priv, server_share, secret);                                                       \
  }                                                                                                                \
  const tn_group row = {                                                                                           \
      .name = iana,                                                                                                \
      .id = number,                                                                                                \
      .private_len = (curve_len) + (k_private),                                                                    \
      .client_share_len = (point) + (k_public),                                                                    \
      .server_share_len = (point) + (k_ciphertext),                                                                \
      .secret_len = (curve_len) + TN_MLKEM_SECRET_LEN,                                                             \
      .tail = (first) ? &curve_row : NULL,                                                                         \
      .half = &curve_row,                                                                                          \
      .generate = generate_##row,                                                                                  \
      .answer = answer_##row,                                                                                      \
      .finish = finish_##row,                                                                                      \
      .path = tn_mlkem_path,                                                                                       \
  };

// The lengths of ML-KEM-768 and ML-KEM-1024.
#define MLKEM768 tn_mlkem768, 1184, 2400, 1088
#define MLKEM1024 tn_mlkem1024, 1568, 3168, 1568
#define EXPANDED_GROUP(...) GROUP(__VA_ARGS__)

EXPANDED_GROUP(tn_group_x25519_mlkem768, "X25519MLKEM768", 0x11ec, tn_group_x25519, 32, 32, MLKEM768, true)
EXPANDED_GROUP(tn_group_secp256r1_mlkem768, "SecP256r1MLKEM768", 0x11eb, tn_group_secp256r1, 32, 65, MLKEM768, false)
EXPANDED_GROUP(tn_group_secp384r1_mlkem1024, "SecP384r1MLKEM1024", 0x11ed, tn_group_secp384r1, 48, 97, MLKEM1024, false)
