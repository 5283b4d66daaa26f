// Mbed TLS's ways with key exchange.
#include "mbedtls.h"

#if defined(BENCH_MBEDTLS_2)
#include <mbedtls/ctr_drbg.h>
#include <mbedtls/dhm.h>
#include <mbedtls/ecdh.h>
#include <mbedtls/entropy.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/dh/dh.h"
#include "mbedtls_random.h"

int bench_mbedtls_random(void *unused, unsigned char *out, size_t n) {
  static mbedtls_entropy_context entropy;
  static mbedtls_ctr_drbg_context drbg;
  static bool ready;
  (void)unused;
  if (!ready) {
    mbedtls_entropy_init(&entropy);
    mbedtls_ctr_drbg_init(&drbg);
    BENCH_NEED(mbedtls_ctr_drbg_seed(&drbg, mbedtls_entropy_func, &entropy, NULL, 0) == 0, "CTR_DRBG");
    ready = true;
  }
  return mbedtls_ctr_drbg_random(&drbg, out, n);
}

static const struct {
  const char *iana;
  mbedtls_ecp_group_id id;
} curves[] = {{"x25519", MBEDTLS_ECP_DP_CURVE25519},
              {"secp256r1", MBEDTLS_ECP_DP_SECP256R1},
              {"secp384r1", MBEDTLS_ECP_DP_SECP384R1},
              {"secp521r1", MBEDTLS_ECP_DP_SECP521R1}};

typedef struct kex_state {
  const tn_dh_group *dh;  // NULL: it is a curve
  mbedtls_ecp_group group;
  mbedtls_ecp_keypair key[KEX_PAIRS];  // the case's, or those that were made
  mbedtls_ecp_point peer[KEX_PAIRS];   // the server's share, decoded
  mbedtls_dhm_context dhm[KEX_PAIRS];  // both
} kex_state;

// ---------------------------------------------------------------- setting up

static mbedtls_ecp_group_id curve_of(const tn_group *group) {
  for (size_t i = 0; i < COUNT(curves); i++)
    if (strcmp(curves[i].iana, group->name) == 0) return curves[i].id;
  return MBEDTLS_ECP_DP_NONE;
}

static int dhm_set_group(mbedtls_dhm_context *dhm, const tn_dh_group *group) {
  uint8_t p[TN_DH_MAX_BYTES];
  mbedtls_mpi prime, two;
  mbedtls_mpi_init(&prime);
  mbedtls_mpi_init(&two);
  for (size_t i = 0; i < group->len; i++) p[group->len - 1 - i] = (uint8_t)(group->p[i / 8] >> 8 * (i % 8));
  int status = mbedtls_mpi_read_binary(&prime, p, group->len);
  if (status == 0) status = mbedtls_mpi_lset(&two, 2);
  if (status == 0) status = mbedtls_dhm_set_group(dhm, &prime, &two);
  mbedtls_mpi_free(&prime);
  mbedtls_mpi_free(&two);
  return status;
}

// The case's key pair and the server's share, which are decoded beforehand.
static int import(kex_state *s, const tn_group *group, const struct kex_pair *pair, size_t k) {
  if (s->dh != NULL) {
    const int status = mbedtls_mpi_read_binary(&s->dhm[k].X, pair->priv, group->private_len);
    return status != 0 ? status : mbedtls_dhm_read_public(&s->dhm[k], pair->answer, group->server_share_len);
  }
  const int status = mbedtls_ecp_read_key(s->group.id, &s->key[k], pair->priv, group->private_len);
  return status != 0 ? status
                     : mbedtls_ecp_point_read_binary(&s->group, &s->peer[k], pair->answer, group->server_share_len);
}

static bool kex_make(bench_job *job) {
  const kex_case *c = kex_case_of(job);
  const mbedtls_ecp_group_id curve = curve_of(c->group);
  kex_state *s = job->state = calloc(1, sizeof *s);
  BENCH_NEED(s != NULL, job->name);
  s->dh = curve == MBEDTLS_ECP_DP_NONE ? tn_dh_group_find(c->group->id) : NULL;
  mbedtls_ecp_group_init(&s->group);
  for (size_t k = 0; k < KEX_PAIRS; k++) {
    mbedtls_ecp_keypair_init(&s->key[k]);
    mbedtls_ecp_point_init(&s->peer[k]);
    mbedtls_dhm_init(&s->dhm[k]);
  }
  if ((curve == MBEDTLS_ECP_DP_NONE && s->dh == NULL) || c->part == KEX_ANSWER) return false;
  if (s->dh == NULL) BENCH_NEED(mbedtls_ecp_group_load(&s->group, curve) == 0, job->name);
  for (size_t k = 0; k < KEX_PAIRS; k++) {
    if (s->dh != NULL) BENCH_NEED(dhm_set_group(&s->dhm[k], s->dh) == 0, job->name);
    if (c->part == KEX_SECRET) BENCH_NEED(import(s, c->group, &c->pair[k], k) == 0, job->name);
  }
  return true;
}

static void kex_free(bench_job *job) {
  kex_state *s = job->state;
  mbedtls_ecp_group_free(&s->group);
  for (size_t k = 0; k < KEX_PAIRS; k++) {
    mbedtls_ecp_keypair_free(&s->key[k]);
    mbedtls_ecp_point_free(&s->peer[k]);
    mbedtls_dhm_free(&s->dhm[k]);
  }
  free(s);
}

// ---------------------------------------------------------------- the work

// An exponent is as long as ours.
static bool generate(kex_state *s, const tn_group *group, size_t k, uint8_t *share) {
  mbedtls_ecp_keypair *key = &s->key[k];
  size_t n = 0;
  if (s->dh != NULL)
    return mbedtls_dhm_make_public(&s->dhm[k], group->private_len, share, group->client_share_len, bench_mbedtls_random,
                                   NULL) == 0;
  return mbedtls_ecp_gen_keypair(&s->group, &key->d, &key->Q, bench_mbedtls_random, NULL) == 0 &&
         mbedtls_ecp_point_write_binary(&s->group, &key->Q, MBEDTLS_ECP_PF_UNCOMPRESSED, &n, share,
                                        group->client_share_len) == 0;
}

static bool secret(kex_state *s, const tn_group *group, size_t k, uint8_t *out) {
  mbedtls_mpi z;
  size_t n = 0;
  if (s->dh != NULL)  // what it wrote is without leading zeros
    return mbedtls_dhm_calc_secret(&s->dhm[k], out, group->secret_len, &n, bench_mbedtls_random, NULL) == 0 &&
           mbedtls_mpi_write_binary(&s->dhm[k].K, out, group->secret_len) == 0;
  mbedtls_mpi_init(&z);
  const bool good =
      mbedtls_ecdh_compute_shared(&s->group, &z, &s->peer[k], &s->key[k].d, bench_mbedtls_random, NULL) == 0 &&
      (s->group.id == MBEDTLS_ECP_DP_CURVE25519 ? mbedtls_mpi_write_binary_le : mbedtls_mpi_write_binary)(
          &z, out, group->secret_len) == 0;
  mbedtls_mpi_free(&z);
  return good;
}

static bool kex_one(bench_job *job, uint64_t i) {
  const kex_case *c = kex_case_of(job);
  return (c->part == KEX_KEYGEN ? generate : secret)(job->state, c->group, i % KEX_PAIRS, job->out);
}

static bool kex_finish(bench_job *job, uint64_t i, const uint8_t *answer, uint8_t *out) {
  const tn_group *group = kex_case_of(job)->group;
  kex_state *s = job->state;
  const size_t k = i % KEX_PAIRS;
  const int status = s->dh != NULL
                         ? mbedtls_dhm_read_public(&s->dhm[k], answer, group->server_share_len)
                         : mbedtls_ecp_point_read_binary(&s->group, &s->peer[k], answer, group->server_share_len);
  return status == 0 && secret(s, group, k, out);
}

const kex_way mbedtls_kex = {{bench_mbedtls_name, kex_make, kex_one, kex_free}, kex_finish};

#endif
