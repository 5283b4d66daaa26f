#include "tls/identity_table.h"

#include "base/error.h"
#include "base/mem.h"

// A name in the form that is hashed and compared: `star` stands for a leftmost label "*", then come the bytes.
typedef struct {
  bool star;
  tn_span bytes;
} key;

static key key_of(tn_span name) {
  if (name.n > 1 && name.p[0] == '*') return (key){true, {name.p + 1, name.n - 1}};
  return (key){false, name};
}

// FNV-1a. The table's names are the operator's, so nobody can choose collisions.
static uint64_t hash(key k) {
  uint64_t h = 0xcbf29ce484222325;
  h = (h ^ (uint64_t)k.star) * 0x100000001b3;
  for (size_t i = 0; i < k.bytes.n; i++) h = (h ^ tn_ascii_lower(k.bytes.p[i])) * 0x100000001b3;
  return h ^ h >> 32;
}

static bool same(key a, key b) { return a.star == b.star && tn_span_equal_nocase_vartime(a.bytes, b.bytes); }

// The slot that holds k, or the free one where it belongs. Half of the slots are always free.
static tn_identity_name *slot_of(const tn_identity_table *t, key k) {
  size_t i = (size_t)hash(k) & (t->n_slots - 1);
  while (t->slots[i].identity != NULL && !same(key_of(t->slots[i].name), k)) i = (i + 1) & (t->n_slots - 1);
  return &t->slots[i];
}

static tn_result make_room_for_names(tn_identity_table *t, size_t n_more) {
  size_t n_slots = t->n_slots == 0 ? 8 : t->n_slots;
  while (n_slots / 2 < t->n_names + n_more) n_slots *= 2;
  if (n_slots == t->n_slots) return tn_success();
  tn_identity_table larger = *t;
  larger.n_slots = n_slots;
  larger.slots = tn_alloc(t->allocator, n_slots * sizeof *larger.slots);
  TN_ENSURE(larger.slots != NULL, TN_E_NO_MEMORY);
  for (size_t i = 0; i < t->n_slots; i++)
    if (t->slots[i].identity != NULL) *slot_of(&larger, key_of(t->slots[i].name)) = t->slots[i];
  tn_release(t->allocator, t->slots, t->n_slots * sizeof *t->slots);
  *t = larger;
  return tn_success();
}

static tn_result make_room_for_identity(tn_identity_table *t) {
  if (t->n_identities < t->identities_cap) return tn_success();
  size_t cap = t->identities_cap == 0 ? 4 : t->identities_cap * 2;
  tn_identity **larger = tn_alloc(t->allocator, cap * sizeof *larger);
  TN_ENSURE(larger != NULL, TN_E_NO_MEMORY);
  tn_copy(larger, t->identities, t->n_identities * sizeof *larger);
  tn_release(t->allocator, t->identities, t->identities_cap * sizeof *larger);
  t->identities = larger;
  t->identities_cap = cap;
  return tn_success();
}

tn_result tn_identity_table_add(tn_identity_table *t, tn_identity *identity) {
  const tn_cert *leaf = tn_identity_leaf(identity);
  tn_name_type type;
  tn_span name;
  size_t n_names = 0;
  for (size_t at = 0; tn_cert_next_name(leaf, &at, &type, &name);) n_names += type == TN_NAME_DNS;
  TN_TRY(make_room_for_identity(t));
  TN_TRY(make_room_for_names(t, n_names));
  t->identities[t->n_identities++] = tn_identity_ref(identity);
  for (size_t at = 0; tn_cert_next_name(leaf, &at, &type, &name);) {
    if (type != TN_NAME_DNS) continue;
    tn_identity_name *slot = slot_of(t, key_of(name));
    if (slot->identity != NULL) continue;
    *slot = (tn_identity_name){name, identity};
    t->n_names++;
  }
  return tn_success();
}

tn_identity *tn_identity_table_find(const tn_identity_table *t, tn_span name) {
  if (t->n_slots == 0 || name.n == 0) return NULL;
  if (name.p[name.n - 1] == '.') name.n--;
  tn_identity *exact = slot_of(t, (key){false, name})->identity;
  if (exact != NULL) return exact;
  size_t dot = 0;
  while (dot < name.n && name.p[dot] != '.') dot++;
  if (dot == 0 || dot == name.n) return NULL;
  return slot_of(t, (key){true, {name.p + dot, name.n - dot}})->identity;
}

tn_identity *tn_identity_table_default(const tn_identity_table *t) {
  return t->n_identities == 0 ? NULL : t->identities[0];
}

void tn_identity_table_free(tn_identity_table *t) {
  for (size_t i = 0; i < t->n_identities; i++) tn_identity_unref(t->identities[i]);
  tn_release(t->allocator, t->identities, t->identities_cap * sizeof *t->identities);
  tn_release(t->allocator, t->slots, t->n_slots * sizeof *t->slots);
  *t = (tn_identity_table){.allocator = t->allocator};
}
