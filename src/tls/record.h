// The record layer, RFC 9846 section 5: headers, and the protection of one direction.
#ifndef TN_TLS_RECORD_H
#define TN_TLS_RECORD_H

#include "crypto/aead/aead.h"
#include "tls/key_schedule.h"
#include "tls/suite.h"

#define TN_RECORD_HEADER 5
#define TN_RECORD_MAX_CIPHERTEXT (16384 + 256)
#define TN_RECORD_MAX_SPANS 32  // that one record is gathered from

typedef enum tn_content_type {
  TN_CONTENT_CHANGE_CIPHER_SPEC = 20,
  TN_CONTENT_ALERT = 21,
  TN_CONTENT_HANDSHAKE = 22,
  TN_CONTENT_APPLICATION_DATA = 23,
} tn_content_type;

typedef struct tn_record_header {
  uint8_t type;
  uint16_t version;
  uint16_t length;
} tn_record_header;

tn_record_header tn_record_header_of(const uint8_t bytes[TN_RECORD_HEADER]);

// The protection of one direction; `suite` NULL means none yet.
typedef struct tn_protection {
  const tn_suite *suite;
  uint64_t sequence;  // of the next record
  uint8_t iv[TN_AEAD_NONCE_LEN];
  tn_aead_key key;
} tn_protection;

// Keys from a traffic secret (section 7.3); the sequence starts at 0.
TN_MUST_USE tn_result tn_protection_set(tn_protection *p, const tn_suite *suite, const tn_traffic_secret *secret);
void tn_protection_wipe(tn_protection *p);

// One record of `type` around `total` bytes of the spans, starting `skip` bytes into them. Writes
// tn_record_size(p, total) bytes to out. TN_E_BAD_ARGUMENT if total is over 2^14 or more than the spans hold, or if it
// lies in more than TN_RECORD_MAX_SPANS spans that are not empty.
TN_MUST_USE tn_result tn_record_seal(tn_protection *p, tn_content_type type, const tn_span *data, size_t n, size_t skip,
                                     size_t total, uint8_t *out);
size_t tn_record_size(const tn_protection *p, size_t total);

// Opens the protected record at `record` (header and body, whole) into out, which has room for the body less the
// tag, and may be the body itself. Gives the inner content type and the contents' length (padding removed). The
// sequence advances on success only.
TN_MUST_USE tn_result tn_record_open(tn_protection *p, const uint8_t *record, size_t n, uint8_t *out, uint8_t *type,
                                     size_t *length);

#endif
