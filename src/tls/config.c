#include "tls/config.h"

#include <time.h>

#include "base/bytes.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/mem.h"

static int64_t system_clock(void *ctx) {
  (void)ctx;
  return (int64_t)time(NULL);
}

// Our order of suites, ChaCha20 first where AES is not in hardware.
static void default_suites(tn_config *c) {
  bool fast_aes = tn_cpu_has(TN_CPU_AESNI | TN_CPU_PCLMUL);
  for (int chacha = !fast_aes, pass = 0; pass < 2; pass++, chacha = !chacha)
    for (size_t i = 0; i < TN_SUITE_COUNT; i++)
      if ((tn_suites[i].aead == &tn_chacha20_poly1305) == chacha) c->suites[c->n_suites++] = &tn_suites[i];
}

static void default_groups(tn_config *c) {
  for (size_t i = 0; tn_groups[i] != NULL && c->n_groups < TN_CONFIG_MAX_GROUPS; i++)
    if (!tn_groups[i]->costly) c->groups[c->n_groups++] = tn_groups[i];
}

tn_result tn_config_new(tn_role role, const tn_allocator *a, tn_config **out) {
  *out = NULL;
  TN_ENSURE(role == TN_CLIENT || role == TN_SERVER, TN_E_BAD_ARGUMENT);
  tn_config *c = tn_alloc(a, sizeof *c);
  TN_ENSURE(c != NULL, TN_E_NO_MEMORY);
  atomic_init(&c->references, 1);
  atomic_init(&c->frozen, false);
  c->role = role;
  if (a != NULL) {
    c->allocator_copy = *a;
    c->allocator = &c->allocator_copy;
  }
  c->identities.allocator = c->allocator;
  default_suites(c);
  default_groups(c);
  c->now = system_clock;
  c->rng = tn_rng_fast;
  *out = c;
  return tn_success();
}

tn_config *tn_config_ref(tn_config *c) {
  atomic_fetch_add_explicit(&c->references, 1, memory_order_relaxed);
  return c;
}

void tn_config_unref(tn_config *c) {
  if (c == NULL || atomic_fetch_sub_explicit(&c->references, 1, memory_order_acq_rel) != 1) return;
  tn_identity_table_free(&c->identities);
  tn_trust_unref(c->trust);
  tn_release(c->allocator, c->alpn.p, c->alpn.n);
  tn_allocator copy = c->allocator_copy;
  tn_release(c->allocator == NULL ? NULL : &copy, c, sizeof *c);
}

static tn_result changeable(const tn_config *c) {
  TN_ENSURE(!atomic_load_explicit(&c->frozen, memory_order_relaxed), TN_E_BAD_STATE);
  return tn_success();
}

tn_result tn_config_add_identity(tn_config *c, tn_identity *identity) {
  TN_TRY(changeable(c));
  TN_ENSURE(c->role == TN_SERVER && identity != NULL, TN_E_BAD_ARGUMENT);
  return tn_identity_table_add(&c->identities, identity);
}

tn_result tn_config_set_trust(tn_config *c, tn_trust *trust) {
  TN_TRY(changeable(c));
  TN_ENSURE(c->role == TN_CLIENT && trust != NULL, TN_E_BAD_ARGUMENT);
  tn_trust_ref(trust);
  tn_trust_unref(c->trust);
  c->trust = trust;
  return tn_success();
}

tn_result tn_config_set_insecure(tn_config *c) {
  TN_TRY(changeable(c));
  TN_ENSURE(c->role == TN_CLIENT, TN_E_BAD_ARGUMENT);
  c->insecure = true;
  return tn_success();
}

tn_result tn_config_set_alpn(tn_config *c, const tn_span *protocols, size_t n) {
  TN_TRY(changeable(c));
  size_t total = 0;
  for (size_t i = 0; i < n; i++) {
    TN_ENSURE(protocols[i].n >= 1 && protocols[i].n <= 255, TN_E_BAD_ARGUMENT);
    total += 1 + protocols[i].n;
    TN_ENSURE(total <= UINT16_MAX, TN_E_BAD_ARGUMENT);
  }
  uint8_t *list = NULL;
  if (n != 0) {
    list = tn_alloc(c->allocator, total);
    TN_ENSURE(list != NULL, TN_E_NO_MEMORY);
  }
  tn_writer w = tn_writer_fixed(list, total);
  for (size_t i = 0; i < n; i++) {
    tn_scope protocol = tn_write_open(&w, 1);
    tn_write_span(&w, protocols[i]);
    tn_write_close(&w, protocol);
  }
  tn_release(c->allocator, c->alpn.p, c->alpn.n);
  c->alpn = (tn_mspan){list, total};
  return tn_writer_result(&w);
}

tn_result tn_config_set_suites(tn_config *c, const uint16_t *ids, size_t n) {
  TN_TRY(changeable(c));
  TN_ENSURE(n >= 1 && n <= TN_SUITE_COUNT, TN_E_BAD_ARGUMENT);
  const tn_suite *suites[TN_SUITE_COUNT];
  for (size_t i = 0; i < n; i++) {
    suites[i] = tn_suite_find(ids[i]);
    TN_ENSURE(suites[i] != NULL, TN_E_BAD_ARGUMENT);
    for (size_t j = 0; j < i; j++) TN_ENSURE(suites[j] != suites[i], TN_E_BAD_ARGUMENT);
  }
  for (size_t i = 0; i < n; i++) c->suites[i] = suites[i];
  c->n_suites = n;
  return tn_success();
}

tn_result tn_config_set_groups(tn_config *c, const uint16_t *ids, size_t n) {
  TN_TRY(changeable(c));
  TN_ENSURE(n >= 1 && n <= TN_CONFIG_MAX_GROUPS, TN_E_BAD_ARGUMENT);
  const tn_group *groups[TN_CONFIG_MAX_GROUPS];
  for (size_t i = 0; i < n; i++) {
    groups[i] = tn_group_find(ids[i]);
    TN_ENSURE(groups[i] != NULL, TN_E_BAD_ARGUMENT);
    for (size_t j = 0; j < i; j++) TN_ENSURE(groups[j] != groups[i], TN_E_BAD_ARGUMENT);
  }
  for (size_t i = 0; i < n; i++) c->groups[i] = groups[i];
  c->n_groups = n;
  return tn_success();
}

tn_result tn_config_set_clock(tn_config *c, int64_t (*now)(void *ctx), void *ctx) {
  TN_TRY(changeable(c));
  TN_ENSURE(now != NULL, TN_E_BAD_ARGUMENT);
  c->now = now;
  c->now_ctx = ctx;
  return tn_success();
}

tn_result tn_config_set_rng(tn_config *c, tn_rng rng) {
  TN_TRY(changeable(c));
  c->rng = rng;
  return tn_success();
}

const tn_suite *tn_config_suite(const tn_config *c, uint16_t id) {
  for (size_t i = 0; i < c->n_suites; i++)
    if (c->suites[i]->id == id) return c->suites[i];
  return NULL;
}

const tn_group *tn_config_group(const tn_config *c, uint16_t id) {
  for (size_t i = 0; i < c->n_groups; i++)
    if (c->groups[i]->id == id) return c->groups[i];
  return NULL;
}

bool tn_group_at(size_t i, uint16_t *id, const char **name) {
  for (size_t j = 0; j <= i; j++)
    if (tn_groups[j] == NULL) return false;
  *id = tn_groups[i]->id;
  *name = tn_groups[i]->name;
  return true;
}
