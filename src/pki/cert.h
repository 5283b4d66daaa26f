// What the files about certificates share.
#ifndef TN_PKI_CERT_H
#define TN_PKI_CERT_H

#include "base/bytes.h"
#include "base/mem.h"
#include "tenon/pki.h"

// GeneralName's tags that we look at (RFC 5280 section 4.2.1.6).
#define TN_GENERAL_NAME_DNS 0x82
#define TN_GENERAL_NAME_IP 0x87

// Reads the contents of Extensions into cert, whose subject is known. TN_E_DER or TN_E_CERT_MALFORMED.
TN_MUST_USE tn_result tn_cert_read_extensions(tn_cert *cert, tn_reader list);

static inline bool tn_cert_is_self_issued(const tn_cert *cert) {
  return tn_span_equal_vartime(cert->subject, cert->issuer);
}

// A host name in letters, digits, hyphens and underscores, without a trailing dot, whose last label is not a number;
// with_wildcard allows "*" as the whole leftmost label of at least three.
TN_MUST_USE bool tn_host_name_is_valid(tn_span name, bool with_wildcard);

// An IP address in text form: writes its 4 or 16 bytes and returns how many; 0 if it is none.
TN_MUST_USE size_t tn_ip_parse(tn_span text, uint8_t out[16]);

#endif
