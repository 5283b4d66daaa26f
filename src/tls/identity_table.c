#include "tls/identity_table.h"

#include "base/error.h"
#include "base/mem.h"
#include "pki/identity.h"
#include "pki/key.h"

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

static tn_key_type type_of(const tn_identity *identity) { return tn_key_get_type(tn_identity_key(identity)); }

// The next slot that holds k, from slot i on, or the free one where another would go. Half of the slots are always
// free.
static tn_identity_name *slot_from(const tn_identity_table *t, size_t i, key k) {
  for (;; i++) {
    tn_identity_name *slot = &t->slots[i & (t->n_slots - 1)];
    if (slot->identity == NULL || same(key_of(slot->name), k)) return slot;
  }
}

static tn_identity_name *first_slot(const tn_identity_table *t, key k) { return slot_from(t, (size_t)hash(k), k); }

static tn_identity_name *slot_after(const tn_identity_table *t, const tn_identity_name *slot) {
  return slot_from(t, (size_t)(slot - t->slots) + 1, key_of(slot->name));
}

// The slot that holds this name with a key of this type, or the free one where it belongs.
static tn_identity_name *slot_for(const tn_identity_table *t, key k, tn_key_type type) {
  tn_identity_name *slot = first_slot(t, k);
  while (slot->identity != NULL && type_of(slot->identity) != type) slot = slot_after(t, slot);
  return slot;
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
    if (t->slots[i].identity != NULL)
      *slot_for(&larger, key_of(t->slots[i].name), type_of(t->slots[i].identity)) = t->slots[i];
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
  const tn_key_type type_of_key = type_of(identity);
  t->identities[t->n_identities++] = tn_identity_ref(identity);
  if (t->first_of_type[type_of_key] == NULL) t->first_of_type[type_of_key] = identity;
  for (size_t at = 0; tn_cert_next_name(leaf, &at, &type, &name);) {
    if (type != TN_NAME_DNS) continue;
    tn_identity_name *slot = slot_for(t, key_of(name), type_of_key);
    if (slot->identity != NULL) continue;
    *slot = (tn_identity_name){name, identity};
    t->n_names++;
  }
  return tn_success();
}

const tn_identity_name *tn_identity_table_find(const tn_identity_table *t, tn_span name) {
  if (t->n_slots == 0 || name.n == 0) return NULL;
  if (name.p[name.n - 1] == '.') name.n--;
  const tn_identity_name *exact = first_slot(t, (key){false, name});
  if (exact->identity != NULL) return exact;
  size_t dot = 0;
  while (dot < name.n && name.p[dot] != '.') dot++;
  if (dot == 0 || dot == name.n) return NULL;
  const tn_identity_name *wildcard = first_slot(t, (key){true, {name.p + dot, name.n - dot}});
  return wildcard->identity != NULL ? wildcard : NULL;
}

const tn_identity_name *tn_identity_table_next(const tn_identity_table *t, const tn_identity_name *found) {
  const tn_identity_name *next = slot_after(t, found);
  return next->identity != NULL ? next : NULL;
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
