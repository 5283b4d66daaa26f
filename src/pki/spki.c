#include "pki/spki.h"

#include "base/mem.h"
#include "pki/der.h"
#include "pki/der_write.h"

#define UNCOMPRESSED 0x04

// The keys that we can use, by the algorithm and curve that name them.
typedef struct {
  tn_oid algorithm, curve;
  tn_key_type type;
  size_t point_len;
} key_type_row;

static const key_type_row key_types[] = {
    {TN_OID_EC_PUBLIC_KEY, TN_OID_P256, TN_KEY_P256, 65},
    {TN_OID_EC_PUBLIC_KEY, TN_OID_P384, TN_KEY_P384, 97},
    {TN_OID_EC_PUBLIC_KEY, TN_OID_P521, TN_KEY_P521, 133},
    {TN_OID_ED25519, TN_OID_UNKNOWN, TN_KEY_ED25519, 32},  // RFC 8410: without parameters
};
#define N_KEY_TYPES (sizeof key_types / sizeof *key_types)

// What `tenon cert show` calls a key.
static const struct {
  tn_oid algorithm, curve;
  const char *name;
} key_names[] = {
    {TN_OID_EC_PUBLIC_KEY, TN_OID_P256, "ECDSA P-256"}, {TN_OID_EC_PUBLIC_KEY, TN_OID_P384, "ECDSA P-384"},
    {TN_OID_EC_PUBLIC_KEY, TN_OID_P521, "ECDSA P-521"}, {TN_OID_RSA_ENCRYPTION, TN_OID_UNKNOWN, "RSA"},
    {TN_OID_RSA_PSS, TN_OID_UNKNOWN, "RSA-PSS"},        {TN_OID_DSA, TN_OID_UNKNOWN, "DSA"},
    {TN_OID_ED25519, TN_OID_UNKNOWN, "Ed25519"},        {TN_OID_ED448, TN_OID_UNKNOWN, "Ed448"},
    {TN_OID_X25519, TN_OID_UNKNOWN, "X25519"},          {TN_OID_X448, TN_OID_UNKNOWN, "X448"},
};

// The parts of a SubjectPublicKeyInfo.
typedef struct {
  tn_span algorithm;  // an OID's contents
  tn_span curve;      // likewise; empty if the parameters are something else
  bool has_parameters;
  tn_span key;
} spki_parts;

static bool read_algorithm(tn_reader *r, spki_parts *out) {
  tn_reader algorithm;
  tn_der parameters;
  out->curve = (tn_span){NULL, 0};
  if (!tn_der_enter(r, TN_DER_SEQUENCE, &algorithm) || !tn_der_read_oid(&algorithm, &out->algorithm)) return false;
  out->has_parameters = algorithm.n != 0;
  if (tn_der_at(&algorithm, TN_DER_OID)) return tn_der_read_oid(&algorithm, &out->curve) && algorithm.n == 0;
  return algorithm.n == 0 || (tn_der_next(&algorithm, &parameters) && algorithm.n == 0);
}

static bool read_parts(tn_span spki, spki_parts *out) {
  tn_reader r = tn_reader_of(spki), body;
  return tn_der_enter(&r, TN_DER_SEQUENCE, &body) && r.n == 0 && read_algorithm(&body, out) &&
         tn_der_read_bit_bytes(&body, TN_DER_BIT_STRING, &out->key) && body.n == 0;
}

bool tn_spki_read(tn_reader *r, tn_span *spki) {
  tn_reader at = *r;
  spki_parts ignored;
  if (!tn_der_read_whole(&at, TN_DER_SEQUENCE, spki) || !read_parts(*spki, &ignored)) return false;
  *r = at;
  return true;
}

bool tn_spki_algorithm(tn_span spki, tn_oid *algorithm, tn_oid *curve) {
  spki_parts parts;
  if (!read_parts(spki, &parts)) return false;
  *algorithm = tn_oid_find(parts.algorithm);
  *curve = tn_oid_find(parts.curve);
  return true;
}

// The row of an algorithm and curve; NULL if we cannot use such keys.
static const key_type_row *find_key_type(tn_oid algorithm, tn_oid curve) {
  for (size_t i = 0; i < N_KEY_TYPES; i++)
    if (key_types[i].algorithm == algorithm && key_types[i].curve == curve) return &key_types[i];
  return NULL;
}

tn_result tn_spki_key_type(tn_oid algorithm, tn_oid curve, tn_key_type *out) {
  const key_type_row *row = find_key_type(algorithm, curve);
  TN_ENSURE(row != NULL, TN_E_KEY_UNSUPPORTED);
  *out = row->type;
  return tn_success();
}

tn_result tn_spki_public_key(tn_span spki, tn_public_key *out) {
  spki_parts parts;
  TN_ENSURE(read_parts(spki, &parts), TN_E_DER);
  const key_type_row *row = find_key_type(tn_oid_find(parts.algorithm), tn_oid_find(parts.curve));
  TN_ENSURE(row != NULL, TN_E_KEY_UNSUPPORTED);
  const bool on_named_curve = row->curve != TN_OID_UNKNOWN;
  TN_ENSURE(parts.key.n == row->point_len && parts.has_parameters == on_named_curve, TN_E_KEY_INVALID);
  TN_ENSURE(!on_named_curve || parts.key.p[0] == UNCOMPRESSED, TN_E_KEY_INVALID);
  *out = (tn_public_key){row->type, parts.key};
  return tn_success();
}

tn_result tn_cert_public_key(const tn_cert *cert, tn_public_key *out) { return tn_spki_public_key(cert->spki, out); }

const char *tn_cert_key_name(const tn_cert *cert) {
  tn_oid algorithm, curve;
  if (!tn_spki_algorithm(cert->spki, &algorithm, &curve)) return "unknown";
  for (size_t i = 0; i < sizeof key_names / sizeof *key_names; i++)
    if (key_names[i].algorithm == algorithm && key_names[i].curve == curve) return key_names[i].name;
  return "unknown";
}

void tn_spki_write_curve(tn_writer *w, const tn_public_key *key) {
  for (size_t i = 0; i < N_KEY_TYPES; i++)
    if (key_types[i].type == key->type && key_types[i].curve != TN_OID_UNKNOWN) tn_der_write_oid(w, key_types[i].curve);
}

void tn_spki_write_algorithm(tn_writer *w, const tn_public_key *key) {
  size_t algorithm = tn_der_open(w, TN_DER_SEQUENCE);
  for (size_t i = 0; i < N_KEY_TYPES; i++)
    if (key_types[i].type == key->type) tn_der_write_oid(w, key_types[i].algorithm);
  tn_spki_write_curve(w, key);
  tn_der_close(w, algorithm);
}

void tn_spki_write(tn_writer *w, const tn_public_key *key) {
  size_t spki = tn_der_open(w, TN_DER_SEQUENCE);
  tn_spki_write_algorithm(w, key);
  tn_der_write_bit_bytes(w, TN_DER_BIT_STRING, key->point);
  tn_der_close(w, spki);
}
