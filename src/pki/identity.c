#include "pki/identity.h"

#include <stdatomic.h>

#include "base/error.h"
#include "base/mem.h"
#include "pki/base64.h"
#include "pki/cert.h"
#include "pki/key.h"

#define PEM_LABEL "CERTIFICATE"

struct tn_identity {
  const tn_allocator *allocator;
  atomic_uint references;
  tn_key *key;
  uint8_t *der;  // of all certificates, one after another
  size_t der_room;
  tn_cert *certs;  // the first `n` are the chain, the leaf first
  size_t certs_room;
  size_t n;
};

static tn_result new_identity(const tn_allocator *a, size_t n_certs, size_t der_room, tn_identity **out) {
  tn_identity *id = tn_alloc(a, sizeof *id);
  TN_ENSURE(id != NULL, TN_E_NO_MEMORY);
  *id = (tn_identity){.allocator = a, .der_room = der_room, .certs_room = n_certs};
  atomic_init(&id->references, 1);
  id->der = tn_alloc(a, der_room);
  id->certs = tn_alloc(a, n_certs * sizeof *id->certs);
  if (id->der == NULL || id->certs == NULL) {
    tn_identity_unref(id);
    return tn_fail(TN_E_NO_MEMORY);
  }
  *out = id;
  return tn_success();
}

tn_identity *tn_identity_ref(tn_identity *id) {
  atomic_fetch_add_explicit(&id->references, 1, memory_order_relaxed);
  return id;
}

void tn_identity_unref(tn_identity *id) {
  if (id == NULL || atomic_fetch_sub_explicit(&id->references, 1, memory_order_acq_rel) != 1) return;
  tn_key_free(id->key);
  tn_release(id->allocator, id->der, id->der_room);
  tn_release(id->allocator, id->certs, id->certs_room * sizeof *id->certs);
  tn_release(id->allocator, id, sizeof *id);
}

// ---------------------------------------------------------------- reading

static tn_result add_parsed(tn_identity *id, tn_span der) {
  return tn_ok(tn_cert_parse(&id->certs[id->n++], der)) ? tn_success() : tn_fail(TN_E_CERT_MALFORMED);
}

// How many certificates a text has, and the room that decoding them takes.
static tn_result measure(tn_span text, size_t *n, size_t *room) {
  tn_span label, body;
  tn_result r;
  for (*n = *room = 0; tn_ok(r = tn_pem_next(&text, PEM_LABEL, &label, &body)); ++*n) *room += tn_base64_room(body.n);
  return r.reason == TN_E_NO_CERTIFICATE_FOUND && *n != 0 ? tn_success() : r;
}

static tn_result add_all(tn_identity *id, tn_span text) {
  tn_span label, body;
  size_t used = 0;
  while (tn_ok(tn_pem_next(&text, PEM_LABEL, &label, &body))) {
    size_t n = id->der_room - used;
    TN_TRY(tn_pem_decode(body, id->der + used, &n));
    TN_TRY(add_parsed(id, tn_span_of(id->der + used, n)));
    used += n;
  }
  return tn_success();
}

// ---------------------------------------------------------------- putting in order

static void swap(tn_cert *a, tn_cert *b) {
  tn_cert old = *a;
  *a = *b;
  *b = old;
}

// The index of cert's issuer among certs[from..n), or n. Of several with its name, one whose key identifier agrees.
static size_t find_issuer(const tn_identity *id, const tn_cert *cert, size_t from) {
  size_t found = id->n;
  for (size_t i = id->n; i-- > from;) {
    if (!tn_span_equal_vartime(id->certs[i].subject, cert->issuer)) continue;
    if (found == id->n || tn_span_equal_vartime(id->certs[i].subject_key_id, cert->authority_key_id)) found = i;
  }
  return found;
}

// Moves the key's certificate to the front, its issuers behind it, and drops what does not belong.
static tn_result put_in_order(tn_identity *id, const tn_key *key) {
  size_t leaf = 0;
  while (leaf < id->n && !tn_key_is_of(key, &id->certs[leaf])) leaf++;
  TN_ENSURE(leaf < id->n, TN_E_KEY_MISMATCH);
  swap(&id->certs[0], &id->certs[leaf]);
  size_t length = 1;
  while (length < id->n && !tn_cert_is_self_issued(&id->certs[length - 1])) {
    size_t issuer = find_issuer(id, &id->certs[length - 1], length);
    if (issuer == id->n) break;
    swap(&id->certs[length++], &id->certs[issuer]);
  }
  id->n = length;
  return tn_success();
}

// The key is copied last: whoever looks for the key of a certificate tries many.
static tn_result finish(tn_result r, tn_identity *id, const tn_key *key, tn_identity **out) {
  if (tn_ok(r)) r = put_in_order(id, key);
  if (tn_ok(r)) r = tn_key_copy(id->allocator, key, &id->key);
  if (tn_ok(r))
    *out = id;
  else
    tn_identity_unref(id);
  return r;
}

tn_result tn_identity_from_pem(const tn_allocator *a, tn_span chain, const tn_key *key, tn_identity **out) {
  size_t n, room;
  tn_identity *id;
  TN_TRY(measure(chain, &n, &room));
  TN_TRY(new_identity(a, n, room, &id));
  return finish(add_all(id, chain), id, key, out);
}

tn_result tn_identity_from_der(const tn_allocator *a, tn_span leaf, const tn_key *key, tn_identity **out) {
  tn_identity *id;
  TN_ENSURE(leaf.n != 0, TN_E_NO_CERTIFICATE_FOUND);
  TN_TRY(new_identity(a, 1, leaf.n, &id));
  tn_copy(id->der, leaf.p, leaf.n);
  return finish(add_parsed(id, tn_span_of(id->der, leaf.n)), id, key, out);
}

// ---------------------------------------------------------------- looking

const tn_key *tn_identity_key(const tn_identity *id) { return id->key; }
const tn_cert *tn_identity_leaf(const tn_identity *id) { return &id->certs[0]; }
size_t tn_identity_chain_len(const tn_identity *id) { return id->n; }
tn_span tn_identity_chain_der(const tn_identity *id, size_t i) {
  return i < id->n ? id->certs[i].der : (tn_span){NULL, 0};
}
