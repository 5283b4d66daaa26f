// ML-KEM by itself, as a group whose server's share is the ciphertext.
#include "crypto/mlkem/mlkem.h"
#include "kex_case.h"

#define FUNCTIONS(set)                                                                                      \
  static tn_result generate_##set(const tn_rng *rng, uint8_t *priv, uint8_t *share) {                       \
    return tn_mlkem_generate(&tn_##set, rng, share, priv);                                                  \
  }                                                                                                         \
  static tn_result answer_##set(const tn_rng *rng, tn_span client_share, uint8_t *share, uint8_t *secret) { \
    return tn_mlkem_encapsulate(&tn_##set, rng, client_share, share, secret);                               \
  }                                                                                                         \
  static tn_result finish_##set(const uint8_t *priv, tn_span server_share, uint8_t *secret) {               \
    return tn_mlkem_decapsulate(&tn_##set, priv, server_share, secret);                                     \
  }

FUNCTIONS(mlkem512)
FUNCTIONS(mlkem768)
FUNCTIONS(mlkem1024)

// Named as OpenSSL names them.
#define GROUP(iana, set) \
  { .name = iana, .generate = generate_##set, .answer = answer_##set, .finish = finish_##set, .path = tn_mlkem_path }

void bench_kem(bench *b) {
  static const char *const endings[KEX_PARTS] = {
      [KEX_SECRET] = "-decap", [KEX_KEYGEN] = "-keygen", [KEX_ANSWER] = "-encap"};
  const struct {
    const char *row;
    const tn_mlkem *set;
    tn_group group;
  } sets[] = {
      {"ml-kem-512", &tn_mlkem512, GROUP("ML-KEM-512", mlkem512)},
      {"ml-kem-768", &tn_mlkem768, GROUP("ML-KEM-768", mlkem768)},
      {"ml-kem-1024", &tn_mlkem1024, GROUP("ML-KEM-1024", mlkem1024)},
  };
  for (size_t i = 0; i < COUNT(sets); i++) {
    tn_group group = sets[i].group;
    group.private_len = sets[i].set->private_len;
    group.client_share_len = sets[i].set->public_len;
    group.server_share_len = sets[i].set->ciphertext_len;
    group.secret_len = TN_MLKEM_SECRET_LEN;
    bench_kex_run(b, &group, sets[i].row, endings);
  }
}
