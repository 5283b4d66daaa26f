// Certificates written (RFC 5280 section 4.1).
#include "base/error.h"
#include "crypto/hash/hash.h"
#include "pki/cert.h"
#include "pki/der_write.h"
#include "pki/key.h"
#include "pki/name.h"
#include "pki/signature.h"
#include "pki/spki.h"
#include "pki/time.h"

#define SERIAL_LEN 16
#define KEY_ID_LEN 20
#define MAX_COMMON_NAME 64            // ub-common-name
#define EARLIEST INT64_C(-631152000)  // 1950-01-01: what UTCTime can say
#define ALL_PURPOSES (TN_EKU_SERVER_AUTH | TN_EKU_CLIENT_AUTH | TN_EKU_ANY)

// ---------------------------------------------------------------- what may be asked for

// One character of UTF-8 (RFC 3629) without the controls of ASCII; *text is then what follows it.
static bool next_character(tn_span *text) {
  static const struct {
    uint8_t first, last;  // of the lead byte
    uint8_t low, high;    // of the byte after it
    uint8_t length;
  } forms[] = {{0x20, 0x7e, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
               {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
               {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (text->p[0] < forms[i].first || text->p[0] > forms[i].last) continue;
    size_t n = forms[i].length;
    if (text->n < n || (n > 1 && (text->p[1] < forms[i].low || text->p[1] > forms[i].high))) return false;
    for (size_t j = 2; j < n; j++)
      if ((text->p[j] & 0xc0) != 0x80) return false;
    *text = (tn_span){text->p + n, text->n - n};
    return true;
  }
  return false;
}

static bool common_name_is_valid(tn_span name) {
  size_t n = 0;
  for (; name.n != 0; n++)
    if (!next_character(&name)) return false;
  return n <= MAX_COMMON_NAME;
}

static bool spec_is_valid(const tn_cert_spec *spec, bool self_signed) {
  size_t n_names = spec->n_dns_names + spec->n_ip_addresses;
  for (size_t i = 0; i < spec->n_dns_names; i++)
    if (!tn_host_name_is_valid(spec->dns_names[i], true)) return false;
  for (size_t i = 0; i < spec->n_ip_addresses; i++)
    if (spec->ip_addresses[i].n != 4 && spec->ip_addresses[i].n != 16) return false;
  bool named = spec->common_name.n != 0 || (n_names != 0 && !self_signed && !spec->is_ca);  // an issuer has a subject
  return named && common_name_is_valid(spec->common_name) && spec->not_before >= EARLIEST &&
         spec->not_after <= TN_TIME_MAX && spec->not_before <= spec->not_after &&
         (spec->is_ca || !spec->has_path_len) && (spec->ext_key_usage & ~ALL_PURPOSES) == 0;
}

// ---------------------------------------------------------------- the fields

static tn_result write_serial(tn_writer *w) {
  uint8_t serial[SERIAL_LEN];
  TN_TRY(tn_random(NULL, serial, sizeof serial));
  serial[0] = (uint8_t)((serial[0] & 0x7f) | 0x40);  // positive, and of this length
  tn_der_write(w, TN_DER_INTEGER, tn_span_of(serial, sizeof serial));
  return tn_success();
}

static void write_name(tn_writer *w, tn_span common_name) {
  size_t name = tn_der_open(w, TN_DER_SEQUENCE);
  if (common_name.n != 0) {
    size_t set = tn_der_open(w, TN_DER_SET);
    size_t pair = tn_der_open(w, TN_DER_SEQUENCE);
    tn_der_write_oid(w, TN_OID_COMMON_NAME);
    tn_der_write(w, TN_DER_UTF8_STRING, common_name);
    tn_der_close(w, pair);
    tn_der_close(w, set);
  }
  tn_der_close(w, name);
}

// RFC 7093 section 2, method 1.
static void key_id_of(const tn_key *key, uint8_t out[KEY_ID_LEN]) {
  uint8_t digest[32], bits[TN_SPKI_KEY_MAX];
  tn_writer w = tn_writer_fixed(bits, sizeof bits);
  tn_public_key public = tn_key_public(key);
  tn_spki_write_key(&w, &public);
  tn_hash_once(&tn_sha256, w.buf, w.len, digest);
  tn_copy(out, digest, KEY_ID_LEN);
}

// ---------------------------------------------------------------- extensions

typedef struct {
  size_t extension, value;
} extension_scope;

static extension_scope open_extension(tn_writer *w, tn_oid oid, bool critical) {
  extension_scope s;
  s.extension = tn_der_open(w, TN_DER_SEQUENCE);
  tn_der_write_oid(w, oid);
  if (critical) tn_der_write_boolean(w, true);
  s.value = tn_der_open(w, TN_DER_OCTET_STRING);
  return s;
}

static void close_extension(tn_writer *w, extension_scope s) {
  tn_der_close(w, s.value);
  tn_der_close(w, s.extension);
}

static void write_key_ids(tn_writer *w, tn_span subject_id, tn_span issuer_id) {
  extension_scope s = open_extension(w, TN_OID_SUBJECT_KEY_ID, false);
  tn_der_write(w, TN_DER_OCTET_STRING, subject_id);
  close_extension(w, s);
  if (issuer_id.n == 0) return;
  s = open_extension(w, TN_OID_AUTHORITY_KEY_ID, false);
  size_t sequence = tn_der_open(w, TN_DER_SEQUENCE);
  tn_der_write(w, TN_DER_CONTEXT(0), issuer_id);
  tn_der_close(w, sequence);
  close_extension(w, s);
}

static void write_basic_constraints(tn_writer *w, const tn_cert_spec *spec) {
  extension_scope s = open_extension(w, TN_OID_BASIC_CONSTRAINTS, true);
  size_t sequence = tn_der_open(w, TN_DER_SEQUENCE);
  if (spec->is_ca) tn_der_write_boolean(w, true);
  if (spec->has_path_len) tn_der_write_small(w, spec->path_len);
  tn_der_close(w, sequence);
  close_extension(w, s);
}

// A server's RSA key may also take the premaster secret of TLS 1.2 and older.
static void write_key_usage(tn_writer *w, const tn_cert_spec *spec, tn_key_type type) {
  const uint16_t leaf = TN_KU_DIGITAL_SIGNATURE | (type == TN_KEY_RSA ? TN_KU_KEY_ENCIPHERMENT : 0);
  extension_scope s = open_extension(w, TN_OID_KEY_USAGE, true);
  tn_der_write_flags(w, spec->is_ca ? TN_KU_KEY_CERT_SIGN | TN_KU_CRL_SIGN : leaf);
  close_extension(w, s);
}

static void write_ext_key_usage(tn_writer *w, const tn_cert_spec *spec) {
  if (spec->ext_key_usage == 0) return;
  extension_scope s = open_extension(w, TN_OID_EXT_KEY_USAGE, false);
  size_t list = tn_der_open(w, TN_DER_SEQUENCE);
  if (spec->ext_key_usage & TN_EKU_SERVER_AUTH) tn_der_write_oid(w, TN_OID_SERVER_AUTH);
  if (spec->ext_key_usage & TN_EKU_CLIENT_AUTH) tn_der_write_oid(w, TN_OID_CLIENT_AUTH);
  if (spec->ext_key_usage & TN_EKU_ANY) tn_der_write_oid(w, TN_OID_ANY_EXT_KEY_USAGE);
  tn_der_close(w, list);
  close_extension(w, s);
}

static void write_alt_names(tn_writer *w, const tn_cert_spec *spec) {
  if (spec->n_dns_names + spec->n_ip_addresses == 0) return;
  extension_scope s = open_extension(w, TN_OID_SUBJECT_ALT_NAME, spec->common_name.n == 0);
  size_t list = tn_der_open(w, TN_DER_SEQUENCE);
  for (size_t i = 0; i < spec->n_dns_names; i++) tn_der_write(w, TN_GENERAL_NAME_DNS, spec->dns_names[i]);
  for (size_t i = 0; i < spec->n_ip_addresses; i++) tn_der_write(w, TN_GENERAL_NAME_IP, spec->ip_addresses[i]);
  tn_der_close(w, list);
  close_extension(w, s);
}

// ---------------------------------------------------------------- the whole

static tn_result write_tbs(tn_writer *w, const tn_cert_spec *spec, const tn_key *subject_key, const tn_cert *issuer,
                           const tn_sign_scheme *scheme) {
  uint8_t key_id[KEY_ID_LEN];
  tn_public_key public = tn_key_public(subject_key);
  key_id_of(subject_key, key_id);
  tn_span subject_id = tn_span_of(key_id, sizeof key_id);

  size_t tbs = tn_der_open(w, TN_DER_SEQUENCE);
  size_t version = tn_der_open(w, TN_DER_CONTEXT_CONSTRUCTED(0));
  tn_der_write_small(w, 2);
  tn_der_close(w, version);
  TN_TRY(write_serial(w));
  tn_signature_write_algorithm(w, scheme);
  if (issuer != NULL)
    tn_write_span(w, issuer->subject);
  else
    write_name(w, spec->common_name);
  size_t validity = tn_der_open(w, TN_DER_SEQUENCE);
  tn_der_write_time(w, spec->not_before);
  tn_der_write_time(w, spec->not_after);
  tn_der_close(w, validity);
  write_name(w, spec->common_name);
  tn_spki_write(w, &public);

  size_t tagged = tn_der_open(w, TN_DER_CONTEXT_CONSTRUCTED(3));
  size_t extensions = tn_der_open(w, TN_DER_SEQUENCE);
  write_key_ids(w, subject_id, issuer != NULL ? issuer->subject_key_id : subject_id);
  write_basic_constraints(w, spec);
  write_key_usage(w, spec, public.type);
  write_ext_key_usage(w, spec);
  write_alt_names(w, spec);
  tn_der_close(w, extensions);
  tn_der_close(w, tagged);
  tn_der_close(w, tbs);
  return tn_writer_result(w);
}

tn_result tn_cert_make(const tn_cert_spec *spec, const tn_key *subject_key, const tn_cert *issuer,
                       const tn_key *issuer_key, uint8_t *out, size_t *n) {
  const tn_key *signer = issuer != NULL ? issuer_key : subject_key;
  TN_ENSURE(spec_is_valid(spec, issuer == NULL), TN_E_BAD_ARGUMENT);
  if (issuer != NULL) {
    TN_ENSURE(signer != NULL && !tn_name_is_empty(issuer->subject), TN_E_BAD_ARGUMENT);
    TN_ENSURE(issuer->is_ca, TN_E_CERT_NOT_A_CA);
    TN_ENSURE(tn_key_is_of(signer, issuer), TN_E_KEY_MISMATCH);
  }
  const tn_public_key signing = tn_key_public(signer);
  const tn_sign_scheme *scheme = tn_signature_default(&signing);
  TN_ENSURE(scheme != NULL, TN_E_KEY_UNSUPPORTED);

  tn_writer w = tn_writer_fixed(out, *n);
  size_t certificate = tn_der_open(&w, TN_DER_SEQUENCE), tbs_at = w.len;
  TN_TRY(write_tbs(&w, spec, subject_key, issuer, scheme));
  uint8_t signature[TN_SIGNATURE_MAX];
  size_t signature_len = sizeof signature;
  TN_TRY(tn_key_sign(signer, scheme, NULL, (tn_span){out + tbs_at, w.len - tbs_at}, signature, &signature_len));
  tn_signature_write_algorithm(&w, scheme);
  tn_der_write_bit_bytes(&w, TN_DER_BIT_STRING, (tn_span){signature, signature_len});
  tn_der_close(&w, certificate);
  TN_TRY(tn_writer_result(&w));
  *n = w.len;
  return tn_success();
}
