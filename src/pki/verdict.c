#include "pki/verdict.h"

#include "base/error.h"
#include "pki/cert.h"
#include "pki/name.h"
#include "pki/text.h"

// Foreign names are cut here, so that the reason always fits.
#define MAX_NAME_SHOWN 80

typedef enum { NOTHING, NOT_BEFORE, NOT_AFTER, ISSUER, ALGORITHM, KEY, NAMES } detail;

// "the <role> `<subject>`", the words, the detail.
static const struct {
  tn_reason reason;
  const char *words;
  detail then;
} sentences[] = {
    {TN_E_CERT_EXPIRED, " expired on ", NOT_AFTER},
    {TN_E_CERT_NOT_YET_VALID, " is not valid before ", NOT_BEFORE},
    {TN_E_CERT_UNKNOWN_ISSUER, " has an unknown issuer, ", ISSUER},
    {TN_E_CERT_SELF_SIGNED, " is self-signed and not trusted", NOTHING},
    {TN_E_CERT_SIGNATURE, " has a wrong signature", NOTHING},
    {TN_E_CERT_SIGNATURE_SCHEME, " has a signature that cannot be checked here: ", ALGORITHM},
    {TN_E_CERT_WEAK_KEY, " has a key that is too short to be safe, ", KEY},
    {TN_E_CERT_NOT_A_CA, " signed another, but is not a CA's", NOTHING},
    {TN_E_CERT_PATH_LENGTH, " does not allow so many CAs below it", NOTHING},
    {TN_E_CERT_KEY_USAGE, " has a key usage that does not allow this use", NOTHING},
    {TN_E_CERT_EXT_KEY_USAGE, " has an extended key usage that does not allow this use", NOTHING},
    {TN_E_CERT_CRITICAL_EXTENSION, " has an unknown critical extension", NOTHING},
    {TN_E_CERT_NAME_CONSTRAINTS, " has name constraints, which are not supported", NOTHING},
    {TN_E_CERT_NAME_MISMATCH, " is not for this name, only for ", NAMES},
    {TN_E_CERT_TOO_MUCH_WORK, " has a chain that costs too much to verify", NOTHING},
};

static void put_subject(tn_text *t, tn_span name) {
  char words[MAX_NAME_SHOWN];
  tn_text_char(t, '`');
  bool cut = tn_name_text(name, words, sizeof words) >= sizeof words;
  tn_text_words(t, tn_name_is_empty(name) ? "(no name)" : words);
  tn_text_words(t, cut ? "...`" : "`");
}

static void put_time(tn_text *t, int64_t time) {
  char words[24];
  tn_time_text(time, words);
  tn_text_words(t, words);
}

static void put_names(tn_text *t, const tn_cert *cert) {
  tn_name_type type;
  tn_span name;
  size_t n = 0;
  for (size_t at = 0; t->len < t->room && tn_cert_next_name(cert, &at, &type, &name);) {
    if (type == TN_NAME_OTHER) continue;
    if (n++ != 0) tn_text_words(t, ", ");
    if (type == TN_NAME_DNS)
      tn_text_escaped(t, name);
    else
      tn_text_address(t, name);
  }
  if (n == 0) tn_text_words(t, "no name at all");
}

static void put_detail(tn_text *t, detail what, const tn_cert *cert) {
  switch (what) {
    case NOTHING:
      break;
    case NOT_BEFORE:
      put_time(t, cert->not_before);
      break;
    case NOT_AFTER:
      put_time(t, cert->not_after);
      break;
    case ISSUER:
      put_subject(t, cert->issuer);
      break;
    case ALGORITHM:
      tn_text_words(t, tn_cert_signature_name(cert));
      break;
    case KEY:
      tn_text_words(t, tn_cert_key_name(cert));
      break;
    case NAMES:
      put_names(t, cert);
      break;
  }
}

static void put_prefix(tn_text *t, const tn_verify_params *params) {
  if (params->any_name) return;
  bool cut = params->name.n > MAX_NAME_SHOWN;
  tn_text_escaped(t, (tn_span){params->name.p, cut ? MAX_NAME_SHOWN : params->name.n});
  tn_text_words(t, cut ? "...: " : ": ");
}

void tn_verdict_good(tn_verdict *v, const tn_verify_params *params) {
  *v = (tn_verdict){.result = tn_success()};
  tn_text t = tn_text_in(v->text, sizeof v->text);
  put_prefix(&t, params);
  tn_text_words(&t, "the certificate is good");
}

static const char *role_of(const tn_fault *fault) {
  if (fault->depth == 0) return "the certificate ";
  return tn_cert_is_self_issued(fault->cert) ? "the root " : "the intermediate ";
}

void tn_verdict_bad(tn_verdict *v, const tn_verify_params *params, const tn_fault *fault) {
  *v = (tn_verdict){.result = tn_fail(fault->reason), .depth = (uint8_t)fault->depth};
  tn_text t = tn_text_in(v->text, sizeof v->text);
  put_prefix(&t, params);
  for (size_t i = 0; fault->cert != NULL && i < sizeof sentences / sizeof *sentences; i++) {
    if (sentences[i].reason != fault->reason) continue;
    tn_text_words(&t, role_of(fault));
    put_subject(&t, fault->cert->subject);
    if (fault->reason == TN_E_CERT_UNKNOWN_ISSUER && tn_cert_is_self_issued(fault->cert)) {
      tn_text_words(&t, " is not trusted");
      return;
    }
    tn_text_words(&t, sentences[i].words);
    put_detail(&t, sentences[i].then, fault->cert);
    return;
  }
  tn_text_words(&t, tn_reason_text(fault->reason));
}
