// The extensions of certificates (RFC 5280 section 4.2): a table of those that we know, each with its reader.
#include "base/error.h"
#include "pki/cert.h"
#include "pki/der.h"
#include "pki/name.h"
#include "pki/oid.h"

// More than any honest certificate has; bounds the search for duplicates.
#define MAX_EXTENSIONS 64

static bool read_basic_constraints(tn_cert *cert, tn_reader *value) {
  tn_reader body;
  if (!tn_der_enter(value, TN_DER_SEQUENCE, &body)) return false;
  // An explicit FALSE is not DER, but common.
  if (tn_der_at(&body, TN_DER_BOOLEAN) && !tn_der_read_boolean(&body, &cert->is_ca)) return false;
  if (body.n != 0) {
    if (!tn_der_read_small(&body, &cert->path_len)) return false;
    cert->has_path_len = true;
  }
  cert->has_basic_constraints = true;
  return body.n == 0;
}

static bool read_key_usage(tn_cert *cert, tn_reader *value) {
  tn_span bits;
  unsigned unused;
  if (!tn_der_read_bits(value, TN_DER_BIT_STRING, &bits, &unused) || bits.n > 2) return false;
  for (unsigned i = 0; i < bits.n * 8; i++)
    if (bits.p[i / 8] & 0x80 >> i % 8) cert->key_usage |= (uint16_t)(1u << i);
  cert->has_key_usage = true;
  return cert->key_usage != 0;
}

static bool read_ext_key_usage(tn_cert *cert, tn_reader *value) {
  static const struct {
    tn_oid oid;
    uint8_t flag;
  } purposes[] = {{TN_OID_SERVER_AUTH, TN_EKU_SERVER_AUTH},
                  {TN_OID_CLIENT_AUTH, TN_EKU_CLIENT_AUTH},
                  {TN_OID_ANY_EXT_KEY_USAGE, TN_EKU_ANY}};
  tn_reader list;
  tn_span oid;
  if (!tn_der_enter(value, TN_DER_SEQUENCE, &list) || list.n == 0) return false;
  while (list.n != 0) {
    if (!tn_der_read_oid(&list, &oid)) return false;
    for (size_t i = 0; i < sizeof purposes / sizeof *purposes; i++)
      if (tn_span_equal_vartime(oid, tn_oid_contents(purposes[i].oid))) cert->ext_key_usage |= purposes[i].flag;
  }
  cert->has_ext_key_usage = true;
  return true;
}

static bool read_subject_key_id(tn_cert *cert, tn_reader *value) {
  return tn_der_read(value, TN_DER_OCTET_STRING, &cert->subject_key_id);
}

static bool read_authority_key_id(tn_cert *cert, tn_reader *value) {
  tn_reader body;
  tn_span issuer = {NULL, 0}, serial = {NULL, 0};
  if (!tn_der_enter(value, TN_DER_SEQUENCE, &body)) return false;
  if (tn_der_at(&body, TN_DER_CONTEXT(0)) && !tn_der_read(&body, TN_DER_CONTEXT(0), &cert->authority_key_id))
    return false;
  if (tn_der_at(&body, TN_DER_CONTEXT_CONSTRUCTED(1)) && !tn_der_read(&body, TN_DER_CONTEXT_CONSTRUCTED(1), &issuer))
    return false;
  if (tn_der_at(&body, TN_DER_CONTEXT(2)) && !tn_der_read(&body, TN_DER_CONTEXT(2), &serial)) return false;
  return body.n == 0 && (issuer.n == 0) == (serial.n == 0);
}

// A GeneralName's tag and, for those that we compare, its contents.
static bool general_name_is_well_formed(const tn_der *name) {
  switch (name->tag) {
    case TN_DER_CONTEXT_CONSTRUCTED(0):  // otherName
    case TN_DER_CONTEXT_CONSTRUCTED(3):  // x400Address
    case TN_DER_CONTEXT_CONSTRUCTED(4):  // directoryName
    case TN_DER_CONTEXT_CONSTRUCTED(5):  // ediPartyName
    case TN_DER_CONTEXT(8):              // registeredID
      return true;
    case TN_GENERAL_NAME_IP:
      return name->body.n == 4 || name->body.n == 16;
    case TN_DER_CONTEXT(1):  // rfc822Name
    case TN_GENERAL_NAME_DNS:
    case TN_DER_CONTEXT(6):  // uniformResourceIdentifier
      for (size_t i = 0; i < name->body.n; i++)
        if (name->body.p[i] > 0x7f) return false;  // IA5String
      return true;
    default:
      return false;
  }
}

static bool read_alt_names(tn_cert *cert, tn_reader *value) {
  tn_reader list;
  if (!tn_der_enter(value, TN_DER_SEQUENCE, &list) || list.n == 0) return false;
  cert->alt_names = tn_reader_rest(&list);
  while (list.n != 0) {
    tn_der name;
    if (!tn_der_next(&list, &name) || !general_name_is_well_formed(&name)) return false;
  }
  return true;
}

static bool read_name_constraints(tn_cert *cert, tn_reader *value) {
  tn_span body;
  cert->has_name_constraints = true;
  return tn_der_read(value, TN_DER_SEQUENCE, &body) && body.n != 0;
}

// With any policy acceptable and none required, as TLS has it, policies decide nothing: known, and passed over.
static bool read_policies(tn_cert *cert, tn_reader *value) {
  (void)cert;
  tn_reader list, policy;
  tn_span oid;
  if (!tn_der_enter(value, TN_DER_SEQUENCE, &list) || list.n == 0) return false;
  while (list.n != 0)
    if (!tn_der_enter(&list, TN_DER_SEQUENCE, &policy) || !tn_der_read_oid(&policy, &oid)) return false;
  return true;
}

typedef struct {
  tn_oid oid;
  bool (*read)(tn_cert *cert, tn_reader *value);
  bool never_critical;  // the RFC forbids it
} extension_row;

static const extension_row known[] = {
    {TN_OID_KEY_USAGE, read_key_usage, false},
    {TN_OID_BASIC_CONSTRAINTS, read_basic_constraints, false},
    {TN_OID_EXT_KEY_USAGE, read_ext_key_usage, false},
    {TN_OID_SUBJECT_ALT_NAME, read_alt_names, false},
    {TN_OID_SUBJECT_KEY_ID, read_subject_key_id, true},
    {TN_OID_AUTHORITY_KEY_ID, read_authority_key_id, true},
    {TN_OID_NAME_CONSTRAINTS, read_name_constraints, false},
    {TN_OID_CERTIFICATE_POLICIES, read_policies, false},
};

typedef struct {
  tn_span oid;
  bool critical;
  tn_span value;
} extension;

static bool next_extension(tn_reader *list, extension *out) {
  tn_reader body;
  out->critical = false;
  return tn_der_enter(list, TN_DER_SEQUENCE, &body) && tn_der_read_oid(&body, &out->oid) &&
         (!tn_der_at(&body, TN_DER_BOOLEAN) || tn_der_read_boolean(&body, &out->critical)) &&
         tn_der_read(&body, TN_DER_OCTET_STRING, &out->value) && body.n == 0;
}

static const extension_row *find_known(tn_span oid) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (tn_span_equal_vartime(oid, tn_oid_contents(known[i].oid))) return &known[i];
  return NULL;
}

static tn_result take(tn_cert *cert, const extension *e) {
  const extension_row *row = find_known(e->oid);
  if (row == NULL) {
    cert->has_unknown_critical |= e->critical;
    return tn_success();
  }
  tn_reader value = tn_reader_of(e->value);
  TN_ENSURE(row->read(cert, &value) && value.n == 0, TN_E_CERT_MALFORMED);
  TN_ENSURE(!(e->critical && row->never_critical), TN_E_CERT_MALFORMED);
  // Section 4.2.1.6: names that stand in for a subject must not be passed over.
  TN_ENSURE(row->oid != TN_OID_SUBJECT_ALT_NAME || e->critical || !tn_name_is_empty(cert->subject),
            TN_E_CERT_MALFORMED);
  return tn_success();
}

tn_result tn_cert_read_extensions(tn_cert *cert, tn_reader list) {
  tn_span seen[MAX_EXTENSIONS];
  size_t n = 0;
  TN_ENSURE(list.n != 0, TN_E_CERT_MALFORMED);
  while (list.n != 0) {
    extension e;
    TN_ENSURE(next_extension(&list, &e), TN_E_DER);
    TN_ENSURE(n < MAX_EXTENSIONS, TN_E_CERT_MALFORMED);
    for (size_t i = 0; i < n; i++) TN_ENSURE(!tn_span_equal_vartime(seen[i], e.oid), TN_E_CERT_MALFORMED);
    seen[n++] = e.oid;
    TN_TRY(take(cert, &e));
  }
  return tn_success();
}
