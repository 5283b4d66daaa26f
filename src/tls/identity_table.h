// A server's identities and the names in them: a name finds its identities by hash, however many there are. One name
// may have several, each with another type of key, for clients that do not take every type.
#ifndef TN_TLS_IDENTITY_TABLE_H
#define TN_TLS_IDENTITY_TABLE_H

#include "crypto/sign.h"
#include "tenon/pki.h"

typedef struct tn_identity_name {
  tn_span name;  // in the certificate's DER
  tn_identity *identity;
} tn_identity_name;

typedef struct tn_identity_table {
  const tn_allocator *allocator;
  tn_identity **identities;  // in the order they were added
  size_t n_identities;
  size_t identities_cap;
  tn_identity *first_of_type[TN_KEY_TYPES];
  tn_identity_name *slots;  // open addressing; a free slot has no identity
  size_t n_names;
  size_t n_slots;  // a power of two, or 0
} tn_identity_table;

void tn_identity_table_free(tn_identity_table *table);
// Takes a reference. A name that has an identity with a key of this type already stays with that.
TN_MUST_USE tn_result tn_identity_table_add(tn_identity_table *table, tn_identity *identity);
// The first identity for a name: exact before wildcard (one leftmost label). NULL if none has it.
const tn_identity_name *tn_identity_table_find(const tn_identity_table *table, tn_span name);
// Another for the same name, or NULL.
const tn_identity_name *tn_identity_table_next(const tn_identity_table *table, const tn_identity_name *found);
// The identity for those whose name is not there; NULL in an empty table.
tn_identity *tn_identity_table_default(const tn_identity_table *table);

#endif
