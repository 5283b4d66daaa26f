#include "pki/spki.h"

#include "base/mem.h"
#include "pki/der.h"
#include "pki/der_write.h"
#include "pki/pss.h"
#include "pki/rsa_der.h"

#define UNCOMPRESSED 0x04

// The keys that we can use, by the algorithm and curve that name them.
typedef struct {
  tn_oid algorithm, curve;
  tn_key_type type;
  size_t point_len;  // 0: RSA
} key_type_row;

static const key_type_row key_types[] = {
    {TN_OID_EC_PUBLIC_KEY, TN_OID_P256, TN_KEY_P256, 65},
    {TN_OID_EC_PUBLIC_KEY, TN_OID_P384, TN_KEY_P384, 97},
    {TN_OID_EC_PUBLIC_KEY, TN_OID_P521, TN_KEY_P521, 133},
    {TN_OID_ED25519, TN_OID_UNKNOWN, TN_KEY_ED25519, 32},    // RFC 8410: without parameters
    {TN_OID_RSA_ENCRYPTION, TN_OID_UNKNOWN, TN_KEY_RSA, 0},  // RFC 3279 section 2.3.1: NULL
    {TN_OID_RSA_PSS, TN_OID_UNKNOWN, TN_KEY_RSA_PSS, 0},     // RFC 4055: none, or what it is bound to
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
  tn_span algorithm;   // an OID's contents
  tn_span parameters;  // whole; empty if absent
  tn_span curve;       // an OID's contents; empty if the parameters are something else
  tn_span key;
} spki_parts;

static bool read_algorithm(tn_reader *r, spki_parts *out) {
  tn_reader algorithm;
  tn_der parameters;
  out->curve = (tn_span){NULL, 0};
  if (!tn_der_enter(r, TN_DER_SEQUENCE, &algorithm) || !tn_der_read_oid(&algorithm, &out->algorithm)) return false;
  out->parameters = tn_reader_rest(&algorithm);
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

tn_result tn_spki_rsa_parameters(tn_key_type type, tn_span parameters, tn_pss_params *out) {
  *out = (tn_pss_params){NULL, 0};
  if (type == TN_KEY_RSA) {
    tn_reader r = tn_reader_of(parameters);
    TN_ENSURE(tn_der_read_null(&r) && r.n == 0, TN_E_KEY_INVALID);
  } else if (parameters.n != 0) {
    tn_result r = tn_pss_params_read(parameters, out);
    TN_ENSURE(r.reason != TN_E_DER, TN_E_KEY_INVALID);
    return r;
  }
  return tn_success();
}

static tn_result read_rsa(tn_key_type type, const spki_parts *parts, tn_public_key *out) {
  *out = (tn_public_key){.type = type};
  TN_TRY(tn_spki_rsa_parameters(type, parts->parameters, &out->pss));
  TN_ENSURE(tn_rsa_public_read(parts->key, &out->modulus, &out->exponent), TN_E_KEY_INVALID);
  return tn_success();
}

tn_result tn_spki_public_key(tn_span spki, tn_public_key *out) {
  spki_parts parts;
  TN_ENSURE(read_parts(spki, &parts), TN_E_DER);
  const key_type_row *row = find_key_type(tn_oid_find(parts.algorithm), tn_oid_find(parts.curve));
  TN_ENSURE(row != NULL, TN_E_KEY_UNSUPPORTED);
  if (tn_key_is_rsa(row->type)) return read_rsa(row->type, &parts, out);
  const bool on_named_curve = row->curve != TN_OID_UNKNOWN;
  TN_ENSURE(parts.key.n == row->point_len && (parts.parameters.n != 0) == on_named_curve, TN_E_KEY_INVALID);
  TN_ENSURE(!on_named_curve || parts.key.p[0] == UNCOMPRESSED, TN_E_KEY_INVALID);
  *out = (tn_public_key){.type = row->type, .point = parts.key};
  return tn_success();
}

tn_result tn_cert_public_key(const tn_cert *cert, tn_public_key *out) { return tn_spki_public_key(cert->spki, out); }

// An RSA key's name with its size, if that is a usual one.
static const char *rsa_name(const tn_public_key *key) {
  static const struct {
    size_t bits;
    const char *names[2];
  } sizes[] = {{1024, {"RSA 1024", "RSA-PSS 1024"}}, {2048, {"RSA 2048", "RSA-PSS 2048"}},
               {3072, {"RSA 3072", "RSA-PSS 3072"}}, {4096, {"RSA 4096", "RSA-PSS 4096"}},
               {6144, {"RSA 6144", "RSA-PSS 6144"}}, {7680, {"RSA 7680", "RSA-PSS 7680"}},
               {8192, {"RSA 8192", "RSA-PSS 8192"}}, {0, {"RSA", "RSA-PSS"}}};
  size_t i = 0;
  while (sizes[i].bits != 0 && sizes[i].bits != tn_public_key_bits(key)) i++;
  return sizes[i].names[key->type == TN_KEY_RSA_PSS];
}

const char *tn_cert_key_name(const tn_cert *cert) {
  tn_oid algorithm, curve;
  tn_public_key key;
  if (tn_ok(tn_cert_public_key(cert, &key)) && tn_key_is_rsa(key.type)) return rsa_name(&key);
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
  if (key->type == TN_KEY_RSA) tn_der_write_null(w);
  if (key->pss.hash != NULL) tn_pss_params_write(w, &key->pss);
  tn_der_close(w, algorithm);
}

void tn_spki_write_key(tn_writer *w, const tn_public_key *key) {
  if (tn_key_is_rsa(key->type))
    tn_rsa_public_write(w, key->modulus, key->exponent);
  else
    tn_write_span(w, key->point);
}

void tn_spki_write(tn_writer *w, const tn_public_key *key) {
  size_t spki = tn_der_open(w, TN_DER_SEQUENCE);
  tn_spki_write_algorithm(w, key);
  size_t bits = tn_der_open(w, TN_DER_BIT_STRING);
  tn_write_u8(w, 0);  // whole bytes
  tn_spki_write_key(w, key);
  tn_der_close(w, bits);
  tn_der_close(w, spki);
}
