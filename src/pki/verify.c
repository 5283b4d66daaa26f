// Path building and validation (RFC 5280 section 6), depth first over the certificates given and the anchors.
//
// The work is bounded: by the number of certificates looked at, by the depth of a path, and by the signatures checked,
// without which no path grows.
#include "base/error.h"
#include "pki/cert.h"
#include "pki/name.h"
#include "pki/signature.h"
#include "pki/spki.h"
#include "pki/trust.h"
#include "pki/verdict.h"

#define MAX_CERTS 64       // besides the leaf
#define MAX_DEPTH 8        // certificates below the anchor
#define MAX_SIGNATURES 32  // checked for one verdict

typedef struct {
  const tn_verify_params *params;
  tn_cert pool[MAX_CERTS];
  size_t n_pool;
  const tn_cert *path[MAX_DEPTH];  // the leaf first
  unsigned signatures_left;
  tn_fault fault;  // the most telling one so far
} search;

// ---------------------------------------------------------------- faults

// How much a reason tells about a path that was not found: an issuer that is there but unfit tells more than a
// signature that is wrong (another certificate may have had the same name), and that more than nobody by that name.
static unsigned weight(tn_reason reason) {
  switch (reason) {
    case TN_E_NONE:
      return 0;
    case TN_E_CERT_UNKNOWN_ISSUER:
      return 1;
    case TN_E_CERT_SIGNATURE:
    case TN_E_CERT_SIGNATURE_SCHEME:
      return 2;
    case TN_E_CERT_TOO_MUCH_WORK:
      return 4;
    default:
      return 3;
  }
}

static void note(search *s, tn_reason reason, unsigned depth, const tn_cert *cert) {
  if (weight(reason) > weight(s->fault.reason)) s->fault = (tn_fault){reason, depth, cert};
}

// ---------------------------------------------------------------- one certificate

static bool purpose_is_allowed(const search *s, const tn_cert *cert) {
  unsigned wanted = s->params->purpose == TN_PURPOSE_SERVER ? TN_EKU_SERVER_AUTH : TN_EKU_CLIENT_AUTH;
  return !cert->has_ext_key_usage || (cert->ext_key_usage & (wanted | TN_EKU_ANY)) != 0;
}

// Keys that can be broken prove nothing, whoever vouches for them. Whether they are any good otherwise is found where
// they are used.
#define MIN_RSA_BITS 2048

static bool is_too_weak(const tn_cert *cert) {
  tn_public_key key;
  return tn_ok(tn_cert_public_key(cert, &key)) && tn_key_is_rsa(key.type) && tn_public_key_bits(&key) < MIN_RSA_BITS;
}

// What the leaf and its issuers have to fulfil alike.
static tn_reason check_any(const search *s, const tn_cert *cert) {
  if (s->params->now < cert->not_before) return TN_E_CERT_NOT_YET_VALID;
  if (s->params->now > cert->not_after) return TN_E_CERT_EXPIRED;
  if (cert->has_unknown_critical) return TN_E_CERT_CRITICAL_EXTENSION;
  if (!purpose_is_allowed(s, cert)) return TN_E_CERT_EXT_KEY_USAGE;
  if (is_too_weak(cert)) return TN_E_CERT_WEAK_KEY;
  return TN_E_NONE;
}

static tn_reason check_leaf(const search *s, const tn_cert *leaf) {
  if (leaf->has_key_usage && !(leaf->key_usage & TN_KU_DIGITAL_SIGNATURE)) return TN_E_CERT_KEY_USAGE;
  return check_any(s, leaf);
}

// The intermediates that count against a path length, in path[1..depth]: self-issued ones do not.
static uint32_t count_intermediates(const search *s, unsigned depth) {
  uint32_t n = 0;
  for (unsigned i = 1; i <= depth; i++) n += !tn_cert_is_self_issued(s->path[i]);
  return n;
}

// Whether `issuer` may sign path[depth].
static tn_reason check_issuer(const search *s, const tn_cert *issuer, unsigned depth) {
  if (!issuer->is_ca) return TN_E_CERT_NOT_A_CA;
  if (issuer->has_key_usage && !(issuer->key_usage & TN_KU_KEY_CERT_SIGN)) return TN_E_CERT_KEY_USAGE;
  if (issuer->has_path_len && count_intermediates(s, depth) > issuer->path_len) return TN_E_CERT_PATH_LENGTH;
  if (issuer->has_name_constraints) return TN_E_CERT_NAME_CONSTRAINTS;
  return check_any(s, issuer);
}

// ---------------------------------------------------------------- the search

static tn_reason check_signature(search *s, const tn_cert *cert, const tn_cert *issuer) {
  tn_public_key key;
  tn_result r = tn_cert_public_key(issuer, &key);
  if (r.reason == TN_E_KEY_UNSUPPORTED) return TN_E_CERT_SIGNATURE_SCHEME;
  if (!tn_ok(r)) return TN_E_CERT_SIGNATURE;
  if (s->signatures_left == 0) return TN_E_CERT_TOO_MUCH_WORK;
  s->signatures_left--;
  return (tn_reason)tn_cert_check_signature(cert, &key).reason;
}

// Whether `issuer`, whose name fits, issued path[depth] and was allowed to. Notes why not.
static bool issues(search *s, const tn_cert *issuer, unsigned depth) {
  tn_reason reason = check_issuer(s, issuer, depth);
  if (reason != TN_E_NONE) {
    note(s, reason, depth + 1, issuer);
    return false;
  }
  reason = check_signature(s, s->path[depth], issuer);
  if (reason != TN_E_NONE) note(s, reason, depth, s->path[depth]);
  return reason == TN_E_NONE;
}

// The same name with the same key never helps twice, whoever signed it.
static bool is_in_path(const search *s, const tn_cert *cert, unsigned depth) {
  for (unsigned i = 0; i <= depth; i++)
    if (tn_span_equal_vartime(s->path[i]->subject, cert->subject) &&
        tn_span_equal_vartime(s->path[i]->spki, cert->spki))
      return true;
  return false;
}

// Whether a path leads from path[depth] to an anchor.
static bool find_path(search *s, unsigned depth) {
  const tn_cert *cert = s->path[depth], *anchor;
  bool anybody = false;
  for (size_t at = 0; (anchor = tn_trust_next(s->params->trust, cert->issuer, &at)) != NULL;) {
    anybody = true;
    if (issues(s, anchor, depth)) return true;
  }
  for (size_t i = 0; i < s->n_pool; i++) {
    const tn_cert *issuer = &s->pool[i];
    if (!tn_span_equal_vartime(issuer->subject, cert->issuer) || is_in_path(s, issuer, depth)) continue;
    anybody = true;
    if (depth + 1 == MAX_DEPTH) {
      note(s, TN_E_CERT_TOO_MUCH_WORK, depth, cert);
    } else if (issues(s, issuer, depth)) {
      s->path[depth + 1] = issuer;
      if (find_path(s, depth + 1)) return true;
    }
  }
  if (!anybody) note(s, TN_E_CERT_UNKNOWN_ISSUER, depth, cert);
  return false;
}

// ---------------------------------------------------------------- the verdict

// Certificates that do not parse cannot help, and do not harm.
static void fill_pool(search *s) {
  for (size_t i = 1; i < s->params->n_chain; i++)
    if (tn_ok(tn_cert_parse(&s->pool[s->n_pool], s->params->chain[i]))) s->n_pool++;
}

// Success is fault.reason == TN_E_NONE.
static void examine(search *s, tn_cert *leaf) {
  const tn_verify_params *p = s->params;
  s->fault = (tn_fault){TN_E_CERT_MISSING, 0, NULL};
  if (p->n_chain == 0) return;
  s->fault.reason = (tn_reason)tn_cert_parse(leaf, p->chain[0]).reason;
  if (s->fault.reason != TN_E_NONE) return;
  s->fault = (tn_fault){check_leaf(s, leaf), 0, leaf};
  if (s->fault.reason != TN_E_NONE) return;
  if (!tn_trust_has(p->trust, leaf)) {
    if (p->n_chain - 1 > MAX_CERTS) {
      s->fault.reason = TN_E_CERT_TOO_MUCH_WORK;
      return;
    }
    fill_pool(s);
    s->path[0] = leaf;
    if (!find_path(s, 0)) {
      // Whatever an anchor that only has its name lacks: this is what there is to know about it.
      if (tn_cert_is_self_issued(leaf)) s->fault = (tn_fault){TN_E_CERT_SELF_SIGNED, 0, leaf};
      return;
    }
  }
  s->fault = (tn_fault){TN_E_NONE, 0, leaf};
  if (!p->any_name && !tn_cert_matches(leaf, p->name)) s->fault.reason = TN_E_CERT_NAME_MISMATCH;
}

tn_result tn_verify(const tn_verify_params *params, tn_verdict *verdict) {
  search s;
  tn_cert leaf;
  s.params = params;
  s.n_pool = 0;
  s.signatures_left = MAX_SIGNATURES;
  examine(&s, &leaf);
  if (s.fault.reason == TN_E_NONE)
    tn_verdict_good(verdict, params);
  else
    tn_verdict_bad(verdict, params, &s.fault);
  return verdict->result;
}
