#include "base/error.h"

typedef struct {
  const char *name;
  const char *text;
  uint16_t alert;
} reason_row;

static const reason_row reasons[TN_REASON_COUNT] = {
#define ROW(name, alert, text) {#name, text, TN_ALERT_##alert},
    TN_REASONS(ROW)
#undef ROW
};

tn_result tn_fail(tn_reason reason) {
  if (reason == TN_E_NONE || (unsigned)reason >= TN_REASON_COUNT) reason = TN_E_UNSET;
  return (tn_result){(uint16_t)reason, reasons[reason].alert};
}

tn_result tn_fail_alert(tn_reason reason, tn_alert alert) {
  tn_result r = tn_fail(reason);
  r.alert = (uint16_t)alert;
  return r;
}

const char *tn_reason_text(unsigned reason) {
  return reason < TN_REASON_COUNT ? reasons[reason].text : "an unknown error";
}

const char *tn_reason_name(unsigned reason) { return reason < TN_REASON_COUNT ? reasons[reason].name : "UNKNOWN"; }

const char *tn_alert_name(unsigned alert) {
  static const struct {
    uint16_t alert;
    const char *name;
  } names[] = {
      {TN_ALERT_CLOSE_NOTIFY, "close_notify"},
      {TN_ALERT_UNEXPECTED_MESSAGE, "unexpected_message"},
      {TN_ALERT_BAD_RECORD_MAC, "bad_record_mac"},
      {TN_ALERT_RECORD_OVERFLOW, "record_overflow"},
      {TN_ALERT_HANDSHAKE_FAILURE, "handshake_failure"},
      {TN_ALERT_BAD_CERTIFICATE, "bad_certificate"},
      {TN_ALERT_UNSUPPORTED_CERTIFICATE, "unsupported_certificate"},
      {TN_ALERT_CERTIFICATE_REVOKED, "certificate_revoked"},
      {TN_ALERT_CERTIFICATE_EXPIRED, "certificate_expired"},
      {TN_ALERT_CERTIFICATE_UNKNOWN, "certificate_unknown"},
      {TN_ALERT_ILLEGAL_PARAMETER, "illegal_parameter"},
      {TN_ALERT_UNKNOWN_CA, "unknown_ca"},
      {TN_ALERT_ACCESS_DENIED, "access_denied"},
      {TN_ALERT_DECODE_ERROR, "decode_error"},
      {TN_ALERT_DECRYPT_ERROR, "decrypt_error"},
      {TN_ALERT_PROTOCOL_VERSION, "protocol_version"},
      {TN_ALERT_INSUFFICIENT_SECURITY, "insufficient_security"},
      {TN_ALERT_INTERNAL_ERROR, "internal_error"},
      {TN_ALERT_INAPPROPRIATE_FALLBACK, "inappropriate_fallback"},
      {TN_ALERT_USER_CANCELED, "user_canceled"},
      {TN_ALERT_MISSING_EXTENSION, "missing_extension"},
      {TN_ALERT_UNSUPPORTED_EXTENSION, "unsupported_extension"},
      {TN_ALERT_UNRECOGNIZED_NAME, "unrecognized_name"},
      {TN_ALERT_BAD_CERTIFICATE_STATUS_RESPONSE, "bad_certificate_status_response"},
      {TN_ALERT_UNKNOWN_PSK_IDENTITY, "unknown_psk_identity"},
      {TN_ALERT_CERTIFICATE_REQUIRED, "certificate_required"},
      {TN_ALERT_GENERAL_ERROR, "general_error"},
      {TN_ALERT_NO_APPLICATION_PROTOCOL, "no_application_protocol"},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].alert == alert) return names[i].name;
  return "unknown_alert";
}
