#include "pki/trust.h"

#include <stdatomic.h>

#include "base/error.h"
#include "base/mem.h"
#include "pki/base64.h"

// An anchor owns the DER behind its spans.
typedef struct {
  tn_cert cert;
  uint8_t *der;
  size_t room;
} anchor;

struct tn_trust {
  const tn_allocator *allocator;
  atomic_uint references;
  anchor *anchors;
  size_t n, room;
};

#define FIRST_ROOM 16

tn_result tn_trust_new(const tn_allocator *a, tn_trust **out) {
  tn_trust *t = tn_alloc(a, sizeof *t);
  TN_ENSURE(t != NULL, TN_E_NO_MEMORY);
  t->allocator = a;
  atomic_init(&t->references, 1);
  *out = t;
  return tn_success();
}

tn_trust *tn_trust_ref(tn_trust *t) {
  atomic_fetch_add_explicit(&t->references, 1, memory_order_relaxed);
  return t;
}

void tn_trust_unref(tn_trust *t) {
  if (t == NULL || atomic_fetch_sub_explicit(&t->references, 1, memory_order_acq_rel) != 1) return;
  for (size_t i = 0; i < t->n; i++) tn_release(t->allocator, t->anchors[i].der, t->anchors[i].room);
  tn_release(t->allocator, t->anchors, t->room * sizeof *t->anchors);
  tn_release(t->allocator, t, sizeof *t);
}

static tn_result make_room(tn_trust *t) {
  if (t->n < t->room) return tn_success();
  size_t room = t->room == 0 ? FIRST_ROOM : t->room * 2;
  anchor *larger = tn_alloc(t->allocator, room * sizeof *larger);
  TN_ENSURE(larger != NULL, TN_E_NO_MEMORY);
  tn_copy(larger, t->anchors, t->n * sizeof *larger);
  tn_release(t->allocator, t->anchors, t->room * sizeof *t->anchors);
  t->anchors = larger;
  t->room = room;
  return tn_success();
}

// Takes `der`, an allocation of `room` bytes whose first n are a certificate; releases it on failure.
static tn_result add_owned(tn_trust *t, uint8_t *der, size_t room, size_t n) {
  anchor added = {.der = der, .room = room};
  tn_result r = tn_cert_parse(&added.cert, tn_span_of(der, n));
  if (tn_ok(r)) r = make_room(t);
  if (tn_ok(r))
    t->anchors[t->n++] = added;
  else
    tn_release(t->allocator, der, room);
  return r;
}

tn_result tn_trust_add_der(tn_trust *t, tn_span der) {
  TN_ENSURE(der.n != 0, TN_E_DER);
  uint8_t *copy = tn_duplicate(t->allocator, der.p, der.n);
  TN_ENSURE(copy != NULL, TN_E_NO_MEMORY);
  return add_owned(t, copy, der.n, der.n);
}

static tn_result add_block(tn_trust *t, tn_span body) {
  size_t room = tn_base64_room(body.n), n = room;
  uint8_t *der = tn_alloc(t->allocator, room);
  TN_ENSURE(der != NULL, TN_E_NO_MEMORY);
  tn_result r = tn_pem_decode(body, der, &n);
  if (tn_ok(r)) return add_owned(t, der, room, n);
  tn_release(t->allocator, der, room);
  return r;
}

static bool is_certificate(tn_span label) {
  static const char *const labels[] = {"CERTIFICATE", "X509 CERTIFICATE"};
  for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
    size_t n = __builtin_strlen(labels[i]);
    if (tn_span_equal_vartime(label, tn_span_of(labels[i], n))) return true;
  }
  return false;
}

tn_result tn_trust_add_pem(tn_trust *t, tn_span text, size_t *added, size_t *skipped) {
  tn_span label, body;
  size_t n_added = 0, n_skipped = 0;
  tn_result r;
  while (tn_ok(r = tn_pem_next(&text, NULL, &label, &body))) {
    if (!is_certificate(label)) continue;
    r = add_block(t, body);
    if (r.reason == TN_E_NO_MEMORY) break;
    tn_ok(r) ? n_added++ : n_skipped++;
  }
  if (added != NULL) *added = n_added;
  if (skipped != NULL) *skipped = n_skipped;
  return r.reason == TN_E_NO_CERTIFICATE_FOUND && n_added != 0 ? tn_success() : r;
}

size_t tn_trust_count(const tn_trust *t) { return t->n; }

const tn_cert *tn_trust_next(const tn_trust *t, tn_span subject, size_t *at) {
  while (t != NULL && *at < t->n) {
    const tn_cert *cert = &t->anchors[(*at)++].cert;
    if (tn_span_equal_vartime(cert->subject, subject)) return cert;
  }
  return NULL;
}

bool tn_trust_has(const tn_trust *t, const tn_cert *cert) {
  const tn_cert *found;
  for (size_t at = 0; (found = tn_trust_next(t, cert->subject, &at)) != NULL;)
    if (tn_span_equal_vartime(found->der, cert->der)) return true;
  return false;
}
