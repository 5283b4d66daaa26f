// The key schedule, RFC 9846 section 7. Stages follow one another; a secret can be derived only in
// the stage that has it, so that nothing is ever derived from a default or missing secret.
#ifndef TN_TLS_KEY_SCHEDULE_H
#define TN_TLS_KEY_SCHEDULE_H

#include "base/error.h"
#include "crypto/hash/hash.h"
#include "tls/transcript.h"

#define TN_SECRET_MAX 48

typedef enum tn_stage { TN_STAGE_NONE, TN_STAGE_EARLY, TN_STAGE_HANDSHAKE, TN_STAGE_MASTER } tn_stage;

typedef struct tn_key_schedule {
  const tn_hash *hash;
  tn_stage stage;
  uint8_t secret[TN_SECRET_MAX];
} tn_key_schedule;

// A derived secret that knows whether it is there.
typedef struct tn_traffic_secret {
  bool present;
  uint8_t bytes[TN_SECRET_MAX];
} tn_traffic_secret;

// NONE to EARLY, without a PSK.
TN_MUST_USE tn_result tn_schedule_start(tn_key_schedule *s, const tn_hash *hash);
// EARLY to HANDSHAKE with the (EC)DHE secret.
TN_MUST_USE tn_result tn_schedule_handshake(tn_key_schedule *s, tn_span shared_secret);
// HANDSHAKE to MASTER.
TN_MUST_USE tn_result tn_schedule_master(tn_key_schedule *s);
// Derive-Secret(current secret, label, transcript so far). `stage` must be the current one.
TN_MUST_USE tn_result tn_schedule_derive(const tn_key_schedule *s, tn_stage stage, const char *label,
                                         const tn_transcript *transcript, tn_traffic_secret *out);

// verify_data of a Finished message (section 4.5.3): digest_len bytes, of the transcript so far.
TN_MUST_USE tn_result tn_finished_mac(const tn_hash *hash, const tn_traffic_secret *base,
                                      const tn_transcript *transcript, uint8_t *out);
// The next generation of an application traffic secret (section 7.2).
TN_MUST_USE tn_result tn_traffic_update(const tn_hash *hash, tn_traffic_secret *secret);

#endif
