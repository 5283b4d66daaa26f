// Private keys read from PEM or DER: PKCS#8 (RFC 5208, RFC 5958; Ed25519: RFC 8410), SEC1's ECPrivateKey (RFC 5915) and
// PKCS#1's RSAPrivateKey (RFC 8017).
//
// The scalar is copied and checked in constant time. leaks: the structure of the file.
#include <string.h>

#include "base/mem.h"
#include "crypto/ec/ed25519.h"
#include "pki/base64.h"
#include "pki/der.h"
#include "pki/key.h"
#include "pki/rsa_der.h"
#include "pki/spki.h"

// Right-aligns the scalar: some writers strip leading zero bytes, which RFC 5915 forbids.
static tn_result take_scalar(tn_secret_key *key, tn_key_type type, tn_span scalar) {
  const tn_curve *curve = tn_key_curve(type);
  TN_ENSURE(scalar.n != 0 && scalar.n <= curve->len, TN_E_KEY_INVALID);
  key->type = type;
  tn_copy(key->scalar + curve->len - scalar.n, scalar.p, scalar.n);
  return tn_ec_public(curve, key->scalar, key->point);
}

// A public key in the file must be the private key's: on a NIST curve uncompressed, or compressed (SEC 1
// section 2.3.3).
static tn_result check_public(const tn_secret_key *key, tn_span point) {
  const tn_public_key mine = tn_public_of(key);
  const tn_span whole = mine.point;
  if (tn_key_is_rsa(key->type)) {
    tn_public_key its = mine;
    TN_ENSURE(tn_rsa_public_read(point, &its.modulus, &its.exponent) && tn_public_key_equal_vartime(&its, &mine),
              TN_E_KEY_INVALID);
    return tn_success();
  }
  if (key->type == TN_KEY_ED25519) {
    TN_ENSURE(tn_span_equal_vartime(point, whole), TN_E_KEY_INVALID);
    return tn_success();
  }
  const size_t len = tn_key_curve(key->type)->len;
  uint8_t compressed[1 + TN_CURVE_MAX_LEN];
  compressed[0] = (uint8_t)(0x02 | (whole.p[whole.n - 1] & 1));
  tn_copy(compressed + 1, whole.p + 1, len);
  TN_ENSURE(tn_span_equal_vartime(point, whole) || tn_span_equal_vartime(point, tn_span_of(compressed, 1 + len)),
            TN_E_KEY_INVALID);
  return tn_success();
}

// ECParameters: only named curves.
static tn_result read_parameters(tn_reader *r, tn_oid *curve) {
  tn_reader parameters;
  tn_span oid;
  TN_ENSURE(tn_der_enter(r, TN_DER_CONTEXT_CONSTRUCTED(0), &parameters), TN_E_DER);
  TN_ENSURE(!tn_der_at(&parameters, TN_DER_SEQUENCE), TN_E_KEY_UNSUPPORTED);
  TN_ENSURE(tn_der_read_oid(&parameters, &oid) && parameters.n == 0, TN_E_DER);
  *curve = tn_oid_find(oid);
  return tn_success();
}

// `curve` is what PKCS#8 said outside, or TN_OID_UNKNOWN.
static tn_result parse_ec_private_key(tn_span der, tn_oid curve, tn_secret_key *key) {
  tn_reader r = tn_reader_of(der), body, bits;
  uint32_t version;
  tn_span scalar, point;
  TN_ENSURE(tn_der_enter(&r, TN_DER_SEQUENCE, &body) && r.n == 0 && tn_der_read_small(&body, &version) &&
                tn_der_read(&body, TN_DER_OCTET_STRING, &scalar),
            TN_E_DER);
  TN_ENSURE(version == 1, TN_E_KEY_UNSUPPORTED);
  if (tn_der_at(&body, TN_DER_CONTEXT_CONSTRUCTED(0))) {
    tn_oid inner = TN_OID_UNKNOWN;
    TN_TRY(read_parameters(&body, &inner));
    TN_ENSURE(curve == TN_OID_UNKNOWN || curve == inner, TN_E_KEY_INVALID);
    curve = inner;
  }
  tn_key_type type;
  TN_TRY(tn_spki_key_type(TN_OID_EC_PUBLIC_KEY, curve, &type));
  TN_TRY(take_scalar(key, type, scalar));
  if (body.n != 0) {
    TN_ENSURE(tn_der_enter(&body, TN_DER_CONTEXT_CONSTRUCTED(1), &bits) &&
                  tn_der_read_bit_bytes(&bits, TN_DER_BIT_STRING, &point) && bits.n == 0 && body.n == 0,
              TN_E_DER);
    TN_TRY(check_public(key, point));
  }
  return tn_success();
}

// RFC 8410 section 7: CurvePrivateKey.
static tn_result parse_ed25519_private_key(tn_span der, tn_secret_key *key) {
  tn_reader r = tn_reader_of(der);
  tn_span private_key;
  TN_ENSURE(tn_der_read(&r, TN_DER_OCTET_STRING, &private_key) && r.n == 0, TN_E_DER);
  TN_ENSURE(private_key.n == TN_ED25519_LEN, TN_E_KEY_INVALID);
  key->type = TN_KEY_ED25519;
  tn_copy(key->scalar, private_key.p, private_key.n);
  tn_ed25519_public(key->scalar, key->point);
  return tn_success();
}

// What the algorithm of a PKCS#8 file says of the key inside.
static tn_result parse_by_algorithm(tn_reader algorithm, tn_span private_key, const tn_allocator *a,
                                    tn_secret_key *key) {
  tn_span oid, curve;
  tn_pss_params pss;
  TN_ENSURE(tn_der_read_oid(&algorithm, &oid), TN_E_DER);
  const tn_oid found = tn_oid_find(oid);
  switch (found) {
    case TN_OID_ED25519:
      TN_ENSURE(algorithm.n == 0, TN_E_KEY_INVALID);
      return parse_ed25519_private_key(private_key, key);
    case TN_OID_RSA_ENCRYPTION:
    case TN_OID_RSA_PSS: {
      const tn_key_type type = found == TN_OID_RSA_PSS ? TN_KEY_RSA_PSS : TN_KEY_RSA;
      TN_TRY(tn_spki_rsa_parameters(type, tn_reader_rest(&algorithm), &pss));
      TN_TRY(tn_rsa_private_read(private_key, a, type, key));
      key->pss = pss;
      return tn_success();
    }
    case TN_OID_EC_PUBLIC_KEY:
      TN_ENSURE(tn_der_at(&algorithm, TN_DER_OID), TN_E_KEY_UNSUPPORTED);
      TN_ENSURE(tn_der_read_oid(&algorithm, &curve) && algorithm.n == 0, TN_E_DER);
      TN_ENSURE(tn_oid_find(curve) != TN_OID_UNKNOWN, TN_E_KEY_UNSUPPORTED);
      return parse_ec_private_key(private_key, tn_oid_find(curve), key);
    default:
      return tn_fail(TN_E_KEY_UNSUPPORTED);
  }
}

static tn_result parse_pkcs8(tn_span der, const tn_allocator *a, tn_secret_key *key) {
  tn_reader r = tn_reader_of(der), body, algorithm, ignored;
  uint32_t version;
  tn_span private_key, public_key;
  TN_ENSURE(tn_der_enter(&r, TN_DER_SEQUENCE, &body) && r.n == 0 && tn_der_read_small(&body, &version) &&
                tn_der_enter(&body, TN_DER_SEQUENCE, &algorithm) &&
                tn_der_read(&body, TN_DER_OCTET_STRING, &private_key),
            TN_E_DER);
  TN_ENSURE(version <= 1, TN_E_KEY_UNSUPPORTED);
  TN_TRY(parse_by_algorithm(algorithm, private_key, a, key));
  if (tn_der_at(&body, TN_DER_CONTEXT_CONSTRUCTED(0)))  // attributes
    TN_ENSURE(tn_der_enter(&body, TN_DER_CONTEXT_CONSTRUCTED(0), &ignored), TN_E_DER);
  if (version == 1 && body.n != 0) {
    TN_ENSURE(tn_der_read_bit_bytes(&body, TN_DER_CONTEXT(1), &public_key), TN_E_DER);
    TN_TRY(check_public(key, public_key));
  }
  TN_ENSURE(body.n == 0, TN_E_DER);
  return tn_success();
}

// DSA's old form has five numbers behind its version, PKCS#1's RSAPrivateKey eight.
static bool is_dsa(tn_reader body) {
  tn_span number;
  unsigned n = 0;
  while (tn_der_read(&body, TN_DER_INTEGER, &number)) n++;
  return n == 5 && body.n == 0;
}

// What a SEQUENCE of DER is, by what its first elements are: EncryptedPrivateKeyInfo begins with an
// AlgorithmIdentifier, PKCS#8 has one after its version, SEC1 has an OCTET STRING there, PKCS#1 and DSA have another
// INTEGER.
static tn_result parse_der(tn_span der, const tn_allocator *a, tn_secret_key *key) {
  tn_reader r = tn_reader_of(der), body;
  uint32_t version;
  TN_ENSURE(tn_der_enter(&r, TN_DER_SEQUENCE, &body) && r.n == 0, TN_E_DER);
  if (tn_der_at(&body, TN_DER_SEQUENCE)) {
    tn_reader algorithm;
    tn_span oid, data;
    bool encrypted = tn_der_enter(&body, TN_DER_SEQUENCE, &algorithm) && tn_der_read_oid(&algorithm, &oid) &&
                     tn_der_read(&body, TN_DER_OCTET_STRING, &data) && body.n == 0;
    return tn_fail(encrypted ? TN_E_KEY_ENCRYPTED : TN_E_NO_KEY_FOUND);
  }
  TN_ENSURE(tn_der_read_small(&body, &version), TN_E_DER);
  if (tn_der_at(&body, TN_DER_SEQUENCE)) return parse_pkcs8(der, a, key);
  if (tn_der_at(&body, TN_DER_OCTET_STRING)) return parse_ec_private_key(der, TN_OID_UNKNOWN, key);
  TN_ENSURE(tn_der_at(&body, TN_DER_INTEGER), TN_E_DER);
  TN_ENSURE(!is_dsa(body), TN_E_KEY_UNSUPPORTED);
  return tn_rsa_private_read(der, a, TN_KEY_RSA, key);
}

static bool is(tn_span s, const char *text) { return s.n == strlen(text) && memcmp(s.p, text, s.n) == 0; }

static bool ends_with(tn_span s, const char *end) {
  size_t n = strlen(end);
  return s.n >= n && is((tn_span){s.p + s.n - n, n}, end);
}

// RFC 1421 headers, which only encrypted keys have, contain a colon; base64 does not.
static bool has_headers(tn_span body) { return body.n != 0 && memchr(body.p, ':', body.n) != NULL; }

typedef enum { PKCS8, SEC1, PKCS1 } form;

static bool find_form(tn_span label, form *out) {
  static const char *const labels[] = {[PKCS8] = "PRIVATE KEY", [SEC1] = "EC PRIVATE KEY", [PKCS1] = "RSA PRIVATE KEY"};
  for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
    *out = (form)i;
    if (is(label, labels[i])) return true;
  }
  return false;
}

static tn_result parse_form(form how, tn_span der, const tn_allocator *a, tn_secret_key *key) {
  switch (how) {
    case PKCS8:
      return parse_pkcs8(der, a, key);
    case SEC1:
      return parse_ec_private_key(der, TN_OID_UNKNOWN, key);
    case PKCS1:
      return tn_rsa_private_read(der, a, TN_KEY_RSA, key);
  }
  return tn_fail(TN_E_KEY_UNSUPPORTED);
}

static tn_result parse_block(const tn_allocator *a, tn_span label, tn_span body, tn_secret_key *key) {
  form how;
  TN_ENSURE(!is(label, "ENCRYPTED PRIVATE KEY") && !has_headers(body), TN_E_KEY_ENCRYPTED);
  TN_ENSURE(find_form(label, &how), TN_E_KEY_UNSUPPORTED);
  size_t room = tn_base64_room(body.n), n = room;
  uint8_t *der = tn_alloc(a, room);
  TN_ENSURE(der != NULL, TN_E_NO_MEMORY);
  tn_result r = tn_pem_decode(body, der, &n);
  if (tn_ok(r)) r = parse_form(how, tn_span_of(der, n), a, key);
  tn_release(a, der, room);
  return r;
}

static tn_result parse_pem(const tn_allocator *a, tn_span text, tn_secret_key *key) {
  tn_span label, body;
  for (;;) {
    tn_result r = tn_pem_next(&text, NULL, &label, &body);
    if (r.reason == TN_E_NO_CERTIFICATE_FOUND) return tn_fail(TN_E_NO_KEY_FOUND);
    TN_TRY(r);
    if (ends_with(label, "PRIVATE KEY")) return parse_block(a, label, body, key);
  }
}

// A SEQUENCE whose first INTEGER follows its tag and length; no text has that byte there.
static bool is_der(tn_span text) {
  tn_reader r = tn_reader_of(text), body;
  if (tn_der_enter(&r, TN_DER_SEQUENCE, &body) && r.n == 0) return true;
  return text.n != 0 && text.p[0] == TN_DER_SEQUENCE && memchr(text.p, TN_DER_INTEGER, text.n < 5 ? text.n : 5) != NULL;
}

tn_result tn_key_parse(const tn_allocator *a, tn_span text, tn_key **out) {
  tn_key *key = tn_alloc(a, sizeof *key);
  TN_ENSURE(key != NULL, TN_E_NO_MEMORY);
  key->allocator = a;
  tn_result r = is_der(text) ? parse_der(text, a, &key->secret) : parse_pem(a, text, &key->secret);
  if (tn_ok(r))
    *out = key;
  else
    tn_key_free(key);
  return r;
}
