// Certificate and TBSCertificate (RFC 5280 section 4.1), read in place.
#include "base/error.h"
#include "crypto/hash/hash.h"
#include "pki/cert.h"
#include "pki/der.h"
#include "pki/name.h"
#include "pki/signature.h"
#include "pki/spki.h"

// Version ::= INTEGER { v1(0), v2(1), v3(2) } DEFAULT v1, which DER then does not write.
static tn_result read_version(tn_reader *tbs, uint8_t *version) {
  tn_reader body;
  uint32_t v;
  *version = 1;
  if (!tn_der_at(tbs, TN_DER_CONTEXT_CONSTRUCTED(0))) return tn_success();
  TN_ENSURE(tn_der_enter(tbs, TN_DER_CONTEXT_CONSTRUCTED(0), &body) && tn_der_read_small(&body, &v) && body.n == 0,
            TN_E_DER);
  TN_ENSURE(v == 1 || v == 2, TN_E_CERT_MALFORMED);
  *version = (uint8_t)(v + 1);
  return tn_success();
}

static tn_result skip_unique_id(tn_reader *tbs, unsigned number, uint8_t version) {
  tn_span bits;
  unsigned unused;
  if (!tn_der_at(tbs, (uint8_t)TN_DER_CONTEXT(number))) return tn_success();
  TN_ENSURE(version >= 2, TN_E_CERT_MALFORMED);
  TN_ENSURE(tn_der_read_bits(tbs, (uint8_t)TN_DER_CONTEXT(number), &bits, &unused), TN_E_DER);
  return tn_success();
}

static tn_result read_extensions(tn_reader *tbs, tn_cert *cert) {
  tn_reader tagged, list;
  if (!tn_der_at(tbs, TN_DER_CONTEXT_CONSTRUCTED(3))) return tn_success();
  TN_ENSURE(cert->version == 3, TN_E_CERT_MALFORMED);
  TN_ENSURE(tn_der_enter(tbs, TN_DER_CONTEXT_CONSTRUCTED(3), &tagged) &&
                tn_der_enter(&tagged, TN_DER_SEQUENCE, &list) && tagged.n == 0,
            TN_E_DER);
  return tn_cert_read_extensions(cert, list);
}

static tn_result read_tbs(tn_reader tbs, tn_cert *cert, tn_span *inner_algorithm) {
  tn_reader validity;
  TN_TRY(read_version(&tbs, &cert->version));
  TN_ENSURE(tn_der_read_integer(&tbs, &cert->serial) && tn_algorithm_read(&tbs, inner_algorithm) &&
                tn_name_read(&tbs, &cert->issuer) && tn_der_enter(&tbs, TN_DER_SEQUENCE, &validity) &&
                tn_der_read_time(&validity, &cert->not_before) && tn_der_read_time(&validity, &cert->not_after) &&
                validity.n == 0 && tn_name_read(&tbs, &cert->subject) && tn_spki_read(&tbs, &cert->spki),
            TN_E_DER);
  TN_TRY(skip_unique_id(&tbs, 1, cert->version));
  TN_TRY(skip_unique_id(&tbs, 2, cert->version));
  TN_TRY(read_extensions(&tbs, cert));
  TN_ENSURE(tbs.n == 0, TN_E_DER);
  return tn_success();
}

static tn_result parse(tn_cert *cert, tn_span der) {
  tn_reader in = tn_reader_of(der), body, tbs;
  tn_span inner_algorithm;
  TN_ENSURE(tn_der_enter(&in, TN_DER_SEQUENCE, &body) && in.n == 0 &&
                tn_der_read_whole(&body, TN_DER_SEQUENCE, &cert->tbs) &&
                tn_algorithm_read(&body, &cert->signature_algorithm) &&
                tn_der_read_bit_bytes(&body, TN_DER_BIT_STRING, &cert->signature) && body.n == 0,
            TN_E_DER);
  in = tn_reader_of(cert->tbs);
  TN_ENSURE(tn_der_enter(&in, TN_DER_SEQUENCE, &tbs), TN_E_DER);
  TN_TRY(read_tbs(tbs, cert, &inner_algorithm));
  // Section 4.1.1.2: what is signed names the algorithm of the signature.
  TN_ENSURE(tn_span_equal_vartime(inner_algorithm, cert->signature_algorithm), TN_E_CERT_MALFORMED);
  return tn_success();
}

tn_result tn_cert_parse(tn_cert *cert, tn_span der) {
  *cert = (tn_cert){.der = der};
  tn_result r = parse(cert, der);
  if (!tn_ok(r)) *cert = (tn_cert){0};
  return r;
}

void tn_cert_fingerprint(const tn_cert *cert, uint8_t out[32]) {
  tn_hash_once(&tn_sha256, cert->der.p, cert->der.n, out);
}
