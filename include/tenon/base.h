// Floor 0 as outsiders see it: results, spans, memory.
#ifndef TENON_BASE_H
#define TENON_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TN_API __attribute__((visibility("default")))
#define TN_MUST_USE __attribute__((warn_unused_result))
#else
#define TN_API
#define TN_MUST_USE
#endif

// ---------------------------------------------------------------- alerts

// AlertDescription, RFC 9846 section 6. Values are the wire's.
typedef enum tn_alert {
  TN_ALERT_CLOSE_NOTIFY = 0,
  TN_ALERT_UNEXPECTED_MESSAGE = 10,
  TN_ALERT_BAD_RECORD_MAC = 20,
  TN_ALERT_RECORD_OVERFLOW = 22,
  TN_ALERT_HANDSHAKE_FAILURE = 40,
  TN_ALERT_BAD_CERTIFICATE = 42,
  TN_ALERT_UNSUPPORTED_CERTIFICATE = 43,
  TN_ALERT_CERTIFICATE_REVOKED = 44,
  TN_ALERT_CERTIFICATE_EXPIRED = 45,
  TN_ALERT_CERTIFICATE_UNKNOWN = 46,
  TN_ALERT_ILLEGAL_PARAMETER = 47,
  TN_ALERT_UNKNOWN_CA = 48,
  TN_ALERT_ACCESS_DENIED = 49,
  TN_ALERT_DECODE_ERROR = 50,
  TN_ALERT_DECRYPT_ERROR = 51,
  TN_ALERT_PROTOCOL_VERSION = 70,
  TN_ALERT_INSUFFICIENT_SECURITY = 71,
  TN_ALERT_INTERNAL_ERROR = 80,
  TN_ALERT_INAPPROPRIATE_FALLBACK = 86,
  TN_ALERT_USER_CANCELED = 90,
  TN_ALERT_MISSING_EXTENSION = 109,
  TN_ALERT_UNSUPPORTED_EXTENSION = 110,
  TN_ALERT_UNRECOGNIZED_NAME = 112,
  TN_ALERT_BAD_CERTIFICATE_STATUS_RESPONSE = 113,
  TN_ALERT_UNKNOWN_PSK_IDENTITY = 115,
  TN_ALERT_CERTIFICATE_REQUIRED = 116,
  TN_ALERT_GENERAL_ERROR = 117,
  TN_ALERT_NO_APPLICATION_PROTOCOL = 120,
} tn_alert;

// The RFC's name of an alert ("bad_record_mac"); "unknown_alert" for a number without one. Static.
TN_API const char *tn_alert_name(unsigned alert);

// ---------------------------------------------------------------- results

// Every reason for failure: X(NAME, ALERT, TEXT). ALERT is what a connection that fails for
// this reason sends to its peer, unless the place of failure says otherwise.
// clang-format off
#define TN_REASONS(X)                                                                                          \
  X(UNSET, INTERNAL_ERROR, "no result was set")                                                                \
  X(NONE, INTERNAL_ERROR, "no error")                                                                          \
  /* the caller and the machine */                                                                             \
  X(NO_MEMORY, INTERNAL_ERROR, "out of memory")                                                                \
  X(BAD_ARGUMENT, INTERNAL_ERROR, "an argument is out of its range")                                           \
  X(BAD_STATE, INTERNAL_ERROR, "the call is not allowed in this state")                                        \
  X(NO_SPACE, INTERNAL_ERROR, "the output does not fit the space given for it")                                \
  X(NO_RANDOM, INTERNAL_ERROR, "the system gave no random bytes")                                              \
  X(SEED_EXHAUSTED, INTERNAL_ERROR, "a random generator has used up its seed and cannot get another")          \
  X(SELF_CHECK, INTERNAL_ERROR, "a computation failed its own check")                                          \
  /* bytes and messages */                                                                                     \
  X(DECODE, DECODE_ERROR, "a message is malformed")                                                            \
  X(TRAILING_BYTES, DECODE_ERROR, "a message has bytes after its end")                                         \
  X(TOO_LONG, DECODE_ERROR, "a message is longer than its limit")                                              \
  X(DUPLICATE_EXTENSION, ILLEGAL_PARAMETER, "an extension appears twice")                                      \
  X(EXTENSION_NOT_ALLOWED, ILLEGAL_PARAMETER, "an extension appears in a message where it is not allowed")     \
  X(EXTENSION_NOT_OFFERED, UNSUPPORTED_EXTENSION, "the peer answered an extension that was not offered")       \
  X(EXTENSION_MISSING, MISSING_EXTENSION, "a required extension is missing")                                   \
  X(UNEXPECTED_MESSAGE, UNEXPECTED_MESSAGE, "a message arrived where it is not allowed")                       \
  X(UNEXPECTED_RECORD, UNEXPECTED_MESSAGE, "a record arrived whose type is not allowed here")                  \
  X(NOT_AT_RECORD_END, UNEXPECTED_MESSAGE, "bytes follow a message that ends the use of its keys")             \
  X(INTERLEAVED, UNEXPECTED_MESSAGE, "another record type interrupts a handshake message")                     \
  X(NOT_TLS, UNEXPECTED_MESSAGE, "the peer does not speak TLS")                                                \
  X(PLAIN_HTTP, UNEXPECTED_MESSAGE, "the peer speaks plain HTTP to a TLS port")                                \
  X(RECORD_OVERFLOW, RECORD_OVERFLOW, "a record is longer than 2^14 bytes and its allowance")                  \
  X(EMPTY_RECORD, UNEXPECTED_MESSAGE, "a record that must carry something is empty")                           \
  X(TOO_MANY_EMPTY_RECORDS, UNEXPECTED_MESSAGE, "too many records without content in a row")                   \
  X(BAD_RECORD_MAC, BAD_RECORD_MAC, "a record failed authentication")                                          \
  X(BAD_ALERT, DECODE_ERROR, "an alert is malformed")                                                          \
  X(SEQUENCE_EXHAUSTED, INTERNAL_ERROR, "the keys of this direction have reached their limit")                 \
  /* negotiation */                                                                                            \
  X(NO_COMMON_VERSION, PROTOCOL_VERSION, "no protocol version in common")                                      \
  X(NO_COMMON_SUITE, HANDSHAKE_FAILURE, "no cipher suite in common")                                           \
  X(NO_COMMON_GROUP, HANDSHAKE_FAILURE, "no key-exchange group in common")                                     \
  X(NO_COMMON_SIGNATURE, HANDSHAKE_FAILURE, "no signature scheme in common that our certificate can use")      \
  X(NO_COMMON_PROTOCOL, NO_APPLICATION_PROTOCOL, "no application protocol (ALPN) in common")                   \
  X(NO_IDENTITY, HANDSHAKE_FAILURE, "no certificate to answer with")                                           \
  X(UNRECOGNIZED_NAME, UNRECOGNIZED_NAME, "no certificate for the requested server name")                      \
  X(BAD_VERSION, PROTOCOL_VERSION, "the peer chose a protocol version that was not offered")                   \
  X(DOWNGRADE, ILLEGAL_PARAMETER, "the server's random says that the version was downgraded")                  \
  X(BAD_SUITE, ILLEGAL_PARAMETER, "the peer chose a cipher suite that was not offered")                        \
  X(BAD_GROUP, ILLEGAL_PARAMETER, "the peer chose a group that was not offered")                               \
  X(BAD_KEY_SHARE, ILLEGAL_PARAMETER, "the peer's key share is invalid")                                       \
  X(DH_TOO_SMALL, INSUFFICIENT_SECURITY, "the server's Diffie-Hellman group is too small")                     \
  X(DH_TOO_LARGE, ILLEGAL_PARAMETER, "the server's Diffie-Hellman group is larger than we work with")          \
  X(DH_NOT_PRIME, ILLEGAL_PARAMETER, "the modulus of the server's Diffie-Hellman group is not prime")          \
  X(DH_GENERATOR, ILLEGAL_PARAMETER, "the generator of the server's Diffie-Hellman group is out of its range") \
  X(BAD_SESSION_ID, ILLEGAL_PARAMETER, "the peer did not echo the session id")                                 \
  X(BAD_COMPRESSION, ILLEGAL_PARAMETER, "the peer's compression method is not allowed")                        \
  X(BAD_PROTOCOL_CHOICE, ILLEGAL_PARAMETER, "the peer chose an application protocol that was not offered")     \
  X(BAD_RETRY, ILLEGAL_PARAMETER, "a HelloRetryRequest that would change nothing")                             \
  X(SECOND_RETRY, UNEXPECTED_MESSAGE, "a second HelloRetryRequest")                                            \
  X(HELLO_CHANGED, ILLEGAL_PARAMETER, "the second ClientHello differs where it must not")                      \
  X(BAD_SIGNATURE_SCHEME, ILLEGAL_PARAMETER, "the peer signed with a scheme that was not offered")             \
  X(BAD_SIGNATURE, DECRYPT_ERROR, "a handshake signature is wrong")                                            \
  X(BAD_FINISHED, DECRYPT_ERROR, "the Finished message is wrong")                                              \
  X(BAD_PARAMETER, ILLEGAL_PARAMETER, "a field of a message has an illegal value")                             \
  X(PEER_ALERT, CLOSE_NOTIFY, "the peer sent a fatal alert")                                                   \
  X(TRUNCATED, CLOSE_NOTIFY, "the connection ended without close_notify")                                      \
  X(TIMED_OUT, CLOSE_NOTIFY, "the time allowed ran out")                                                       \
  /* certificates and keys */                                                                                  \
  X(DER, BAD_CERTIFICATE, "malformed DER")                                                                     \
  X(PEM, BAD_CERTIFICATE, "malformed PEM")                                                                     \
  X(NO_CERTIFICATE_FOUND, BAD_CERTIFICATE, "no certificate in it")                                             \
  X(NO_KEY_FOUND, INTERNAL_ERROR, "no private key in it")                                                      \
  X(KEY_ENCRYPTED, INTERNAL_ERROR, "the private key is encrypted, which is not supported")                     \
  X(KEY_UNSUPPORTED, UNSUPPORTED_CERTIFICATE, "the key's type is not supported")                               \
  X(KEY_INVALID, BAD_CERTIFICATE, "the key is invalid")                                                        \
  X(KEY_SIZE, UNSUPPORTED_CERTIFICATE, "an RSA key of this size is not supported; 2048 to 8192 bits are")       \
  X(KEY_MULTI_PRIME, INTERNAL_ERROR, "an RSA key of more than two primes is not supported")                    \
  X(KEY_MISMATCH, INTERNAL_ERROR, "the private key does not belong to the certificate")                        \
  X(CERT_MALFORMED, BAD_CERTIFICATE, "a certificate is malformed")                                             \
  X(CERT_UNSUPPORTED, UNSUPPORTED_CERTIFICATE, "a certificate uses something that is not supported")           \
  X(CERT_SIGNATURE, BAD_CERTIFICATE, "a certificate's signature is wrong")                                     \
  X(CERT_SIGNATURE_SCHEME, UNSUPPORTED_CERTIFICATE, "a certificate's signature algorithm is not supported")    \
  X(CERT_WEAK_KEY, BAD_CERTIFICATE, "a certificate's key is too short to be safe")                              \
  X(CERT_EXPIRED, CERTIFICATE_EXPIRED, "a certificate has expired")                                            \
  X(CERT_NOT_YET_VALID, CERTIFICATE_EXPIRED, "a certificate is not valid yet")                                 \
  X(CERT_UNKNOWN_ISSUER, UNKNOWN_CA, "the issuer is unknown")                                                  \
  X(CERT_SELF_SIGNED, UNKNOWN_CA, "the certificate is self-signed and not trusted")                            \
  X(CERT_NOT_A_CA, BAD_CERTIFICATE, "a certificate that signed another is not a CA's")                         \
  X(CERT_PATH_LENGTH, BAD_CERTIFICATE, "a CA's path length limit is exceeded")                                 \
  X(CERT_KEY_USAGE, BAD_CERTIFICATE, "a certificate's key usage does not allow this use")                      \
  X(CERT_EXT_KEY_USAGE, BAD_CERTIFICATE, "a certificate's extended key usage does not allow this use")         \
  X(CERT_CRITICAL_EXTENSION, UNSUPPORTED_CERTIFICATE, "a certificate has an unknown critical extension")       \
  X(CERT_NAME_CONSTRAINTS, UNSUPPORTED_CERTIFICATE, "a CA's name constraints are not supported")               \
  X(CERT_NAME_MISMATCH, BAD_CERTIFICATE, "the certificate is not for this name")                               \
  X(CERT_TOO_MUCH_WORK, BAD_CERTIFICATE, "the certificate chain costs too much to verify")                     \
  X(CERT_MISSING, DECODE_ERROR, "the peer sent no certificate")                                                \
  /* the network */                                                                                            \
  X(SYSTEM, INTERNAL_ERROR, "a system call failed")                                                            \
  X(RESOLVE, INTERNAL_ERROR, "the name could not be resolved")                                                 \
  X(CANCELED, USER_CANCELED, "canceled")
// clang-format on

typedef enum tn_reason {
#define TN_REASON_ENUM(name, alert, text) TN_E_##name,
  TN_REASONS(TN_REASON_ENUM)
#undef TN_REASON_ENUM
      TN_REASON_COUNT
} tn_reason;

// The outcome of a call. A zero-initialised result is a failure (TN_E_UNSET).
// `alert` has meaning on failure only: what is sent to the peer, or what the peer sent (TN_E_PEER_ALERT).
typedef struct tn_result {
  uint16_t reason;
  uint16_t alert;
} tn_result;

static inline bool tn_ok(tn_result r) { return r.reason == TN_E_NONE; }
static inline tn_result tn_success(void) { return (tn_result){TN_E_NONE, 0}; }

// A failure with the reason's own alert.
TN_API tn_result tn_fail(tn_reason reason);
// A failure whose place calls for another alert than the reason's own.
TN_API tn_result tn_fail_alert(tn_reason reason, tn_alert alert);

// What a reason means, in words; static. Never NULL.
TN_API const char *tn_reason_text(unsigned reason);
// The reason's name, as in "BAD_RECORD_MAC"; static. Never NULL.
TN_API const char *tn_reason_name(unsigned reason);

// ---------------------------------------------------------------- spans

// Bytes that somebody else owns.
typedef struct tn_span {
  const uint8_t *p;
  size_t n;
} tn_span;

// Bytes that may be written.
typedef struct tn_mspan {
  uint8_t *p;
  size_t n;
} tn_mspan;

static inline tn_span tn_span_of(const void *p, size_t n) { return (tn_span){(const uint8_t *)p, n}; }

// ---------------------------------------------------------------- memory

// An allocator. Both functions get `ctx`; `release` gets the size that was allocated.
// Memory is aligned as malloc(3)'s (for max_align_t) and need not be zeroed. `allocate` answers NULL when there is
// none. Thread safety is the embedder's.
typedef struct tn_allocator {
  void *(*allocate)(void *ctx, size_t n);
  void (*release)(void *ctx, void *p, size_t n);
  void *ctx;
} tn_allocator;

// Overwrites n bytes in a way the compiler keeps.
TN_API void tn_wipe(void *p, size_t n);

#ifdef __cplusplus
}
#endif
#endif
