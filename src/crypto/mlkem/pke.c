// Vectors and matrices are transformed where their names end in _hat.
#include "crypto/mlkem/pke.h"

#include <string.h>

#include "base/ct.h"
#include "base/mem.h"
#include "crypto/hash/hash.h"
#include "crypto/mlkem/sample.h"

#define MAX_K TN_MLKEM_MAX_K

static void decode_vector(const tn_poly_arithmetic *ops, tn_poly *v, size_t k, const uint8_t *in, unsigned d) {
  for (size_t i = 0; i < k; i++) ops->decode(&v[i], in + 32 * d * i, d);
}

static void encode_vector(const tn_poly_arithmetic *ops, uint8_t *out, const tn_poly *v, size_t k, unsigned d) {
  for (size_t i = 0; i < k; i++) ops->encode(out + 32 * d * i, &v[i], d);
}

// v transformed, and what `dot` takes beside it.
static void transform(const tn_poly_arithmetic *ops, tn_poly *v, tn_poly *twisted, size_t k) {
  for (size_t i = 0; i < k; i++) {
    ops->ntt(&v[i]);
    ops->twist(&twisted[i], &v[i]);
  }
}

void tn_pke_generate(const tn_mlkem *p, const uint8_t d[32], uint8_t *public, uint8_t *private) {
  const tn_poly_arithmetic *ops = tn_poly_best();
  const size_t k = p->k;
  tn_poly a_hat[MAX_K * MAX_K], t_hat;
  tn_mlkem_samples samples;
  struct {
    tn_poly noise[2 * MAX_K];  // s, then e
    tn_poly twisted[MAX_K];
    uint8_t seed[33];
    uint8_t rho_sigma[64];
  } w;
  tn_poly *const s = w.noise, *const e = w.noise + k;

  memcpy(w.seed, d, 32);
  w.seed[32] = p->k;
  tn_hash_once(&tn_sha3_512, w.seed, sizeof w.seed, w.rho_sigma);
  TN_PUBLIC(w.rho_sigma, 32);  // the encapsulation key has it
  tn_mlkem_samples_begin(&samples);
  tn_mlkem_sample_matrix(&samples, a_hat, k, w.rho_sigma, false);
  tn_mlkem_sample_noise(&samples, w.noise, 2 * k, 2 * k, p->eta1, w.rho_sigma + 32);
  tn_mlkem_samples_draw(&samples);

  transform(ops, s, w.twisted, k);
  for (size_t i = 0; i < k; i++) {
    ops->ntt(&e[i]);
    ops->dot(&t_hat, a_hat + i * k, s, w.twisted, k);
    ops->scale_add(&t_hat, &e[i]);
    ops->encode(public + 384 * i, &t_hat, 12);
  }
  memcpy(public + tn_pke_vector_len(p), w.rho_sigma, 32);
  encode_vector(ops, private, s, k, 12);
  tn_wipe(&w, sizeof w);
  tn_wipe_stack();  // below this large frame, where the caller's does not reach
}

void tn_pke_matrix(const tn_mlkem *p, const uint8_t *public, tn_poly *a_hat, tn_sponge *beside) {
  tn_mlkem_samples samples;
  tn_mlkem_samples_begin(&samples);
  tn_mlkem_sample_beside(&samples, beside);
  tn_mlkem_sample_matrix(&samples, a_hat, p->k, public + tn_pke_vector_len(p), true);
  tn_mlkem_samples_draw(&samples);
}

void tn_pke_encrypt(const tn_mlkem *p, const uint8_t *public, const tn_poly *a_hat, const uint8_t m[32],
                    const uint8_t r[32], uint8_t *ciphertext) {
  const tn_poly_arithmetic *ops = tn_poly_best();
  const size_t k = p->k;
  tn_poly t_hat[MAX_K];
  tn_mlkem_samples samples;
  struct {
    tn_poly noise[2 * MAX_K + 1];  // y, e1, e2
    tn_poly twisted[MAX_K];
    tn_poly product, message;
  } w;
  tn_poly *const y = w.noise, *const e1 = w.noise + k, *const e2 = w.noise + 2 * k;

  decode_vector(ops, t_hat, k, public, 12);
  tn_mlkem_samples_begin(&samples);
  tn_mlkem_sample_noise(&samples, w.noise, 2 * k + 1, k, p->eta1, r);
  tn_mlkem_samples_draw(&samples);

  transform(ops, y, w.twisted, k);
  for (size_t i = 0; i < k; i++) {
    ops->dot(&w.product, a_hat + i * k, y, w.twisted, k);
    ops->inverse_ntt(&w.product);
    ops->add(&w.product, &e1[i]);
    ops->encode(ciphertext + 32 * p->du * i, &w.product, p->du);
  }
  ops->dot(&w.product, t_hat, y, w.twisted, k);
  ops->inverse_ntt(&w.product);
  ops->add(&w.product, e2);
  ops->decode(&w.message, m, 1);
  ops->add(&w.product, &w.message);
  ops->encode(ciphertext + 32 * p->du * k, &w.product, p->dv);
  tn_wipe(&w, sizeof w);
  tn_wipe_stack();  // below this large frame, where the caller's does not reach
}

void tn_pke_decrypt(const tn_mlkem *p, const uint8_t *private, const uint8_t *ciphertext, uint8_t m[32]) {
  const tn_poly_arithmetic *ops = tn_poly_best();
  const size_t k = p->k;
  tn_poly u[MAX_K], twisted_u[MAX_K];
  struct {
    tn_poly s_hat[MAX_K];
    tn_poly product, v;
  } w;

  decode_vector(ops, u, k, ciphertext, p->du);
  transform(ops, u, twisted_u, k);
  decode_vector(ops, w.s_hat, k, private, 12);
  ops->dot(&w.product, w.s_hat, u, twisted_u, k);
  ops->inverse_ntt(&w.product);
  ops->decode(&w.v, ciphertext + 32 * p->du * k, p->dv);
  ops->subtract(&w.v, &w.product);
  ops->encode(m, &w.v, 1);
  tn_wipe(&w, sizeof w);
  tn_wipe_stack();  // below this large frame, where the caller's does not reach
}

bool tn_pke_reduced(const tn_mlkem *p, const uint8_t *public) {
  const tn_poly_arithmetic *ops = tn_poly_best();
  bool reduced = true;
  for (size_t i = 0; i < p->k; i++) {
    tn_poly t_hat;
    ops->decode(&t_hat, public + 384 * i, 12);
    reduced = reduced && ops->is_reduced(&t_hat);
  }
  return reduced;
}
