// Whether a certificate is for a host: names by RFC 9525, addresses as addresses. Nothing else than SubjectAltName
// counts.
#include <arpa/inet.h>

#include "base/mem.h"
#include "pki/cert.h"
#include "pki/der.h"

bool tn_cert_next_name(const tn_cert *cert, size_t *at, tn_name_type *type, tn_span *name) {
  if (*at >= cert->alt_names.n) return false;
  tn_reader r = {cert->alt_names.p + *at, cert->alt_names.n - *at};
  tn_der e;
  if (!tn_der_next(&r, &e)) return false;
  *at = cert->alt_names.n - r.n;
  *type = e.tag == TN_GENERAL_NAME_DNS ? TN_NAME_DNS : e.tag == TN_GENERAL_NAME_IP ? TN_NAME_IP : TN_NAME_OTHER;
  *name = e.body;
  return true;
}

#define MAX_HOST_NAME 253
#define MAX_LABEL 63

static bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

static bool is_label_character(uint8_t c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
}

static bool label_is_valid(tn_span label) {
  if (label.n == 0 || label.n > MAX_LABEL || label.p[0] == '-' || label.p[label.n - 1] == '-') return false;
  for (size_t i = 0; i < label.n; i++)
    if (!is_label_character(label.p[i])) return false;
  return true;
}

static bool is_number(tn_span label) {
  for (size_t i = 0; i < label.n; i++)
    if (!is_digit(label.p[i])) return false;
  return true;
}

// The first label of *rest; *rest is then what follows its dot. False at the end.
static bool next_label(tn_span *rest, tn_span *label) {
  if (rest->p == NULL) return false;
  size_t n = 0;
  while (n < rest->n && rest->p[n] != '.') n++;
  *label = (tn_span){rest->p, n};
  *rest = n == rest->n ? (tn_span){NULL, 0} : (tn_span){rest->p + n + 1, rest->n - n - 1};
  return true;
}

bool tn_host_name_is_valid(tn_span name, bool with_wildcard) {
  if (name.n == 0 || name.n > MAX_HOST_NAME) return false;
  tn_span rest = name, label = {NULL, 0};
  size_t n_labels = 0;
  bool wildcard = with_wildcard && name.n > 2 && name.p[0] == '*' && name.p[1] == '.';
  if (wildcard) rest = (tn_span){name.p + 2, name.n - 2};
  while (next_label(&rest, &label)) {
    if (!label_is_valid(label)) return false;
    n_labels++;
  }
  return !is_number(label) && (!wildcard || n_labels >= 2);
}

// Both are valid; the pattern may begin with a wildcard, which is exactly one label.
static bool host_matches(tn_span pattern, tn_span host) {
  tn_span label;
  if (pattern.p[0] == '*') {
    pattern = (tn_span){pattern.p + 1, pattern.n - 1};
    tn_span rest = host;
    if (!next_label(&rest, &label)) return false;
    host = (tn_span){host.p + label.n, host.n - label.n};
  }
  return tn_span_equal_nocase_vartime(pattern, host);
}

size_t tn_ip_parse(tn_span text, uint8_t out[16]) {
  char copy[INET6_ADDRSTRLEN];
  if (text.n >= sizeof copy) return 0;
  for (size_t i = 0; i < text.n; i++) {
    if (text.p[i] == 0) return 0;
    copy[i] = (char)text.p[i];
  }
  copy[text.n] = 0;
  return inet_pton(AF_INET, copy, out) == 1 ? 4 : inet_pton(AF_INET6, copy, out) == 1 ? 16 : 0;
}

bool tn_cert_matches(const tn_cert *cert, tn_span name) {
  uint8_t address[16];
  size_t address_len = tn_ip_parse(name, address), at = 0;
  tn_span wanted = {address, address_len}, candidate;
  tn_name_type type;
  if (address_len == 0) {
    if (name.n > 1 && name.p[name.n - 1] == '.') name.n--;  // the root's dot
    if (!tn_host_name_is_valid(name, false)) return false;
  }
  while (tn_cert_next_name(cert, &at, &type, &candidate)) {
    if (address_len != 0 && type == TN_NAME_IP && tn_span_equal_vartime(candidate, wanted)) return true;
    if (address_len == 0 && type == TN_NAME_DNS && tn_host_name_is_valid(candidate, true) &&
        host_matches(candidate, name))
      return true;
  }
  return false;
}
