// The transcript hash, RFC 9846 section 4.5.1. Until the suite is chosen every hash that a suite may
// choose runs along, so that no message has to be kept.
#ifndef TN_TLS_TRANSCRIPT_H
#define TN_TLS_TRANSCRIPT_H

#include "base/error.h"
#include "crypto/hash/hash.h"

typedef struct tn_transcript {
  const tn_hash *hash;  // NULL until chosen
  tn_hash_ctx chosen;   // the first candidate until then
  tn_hash_ctx other;    // until chosen: the second candidate
} tn_transcript;

void tn_transcript_init(tn_transcript *t);
void tn_transcript_add(tn_transcript *t, tn_span message);
// The suite's hash is known from here on.
void tn_transcript_choose(tn_transcript *t, const tn_hash *hash);
// Replaces the first ClientHello, which is all that was added, by its message_hash, after a HelloRetryRequest.
void tn_transcript_retry(tn_transcript *t);
// The hash of all that was added so far: hash->digest_len bytes. The transcript goes on.
void tn_transcript_digest(const tn_transcript *t, uint8_t *digest);

#endif
