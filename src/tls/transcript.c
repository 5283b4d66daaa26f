#include "tls/transcript.h"

#include "tls/message.h"

void tn_transcript_init(tn_transcript *t) {
  t->hash = NULL;
  tn_hash_init(&t->chosen, &tn_sha256);
  tn_hash_init(&t->other, &tn_sha384);
}

void tn_transcript_add(tn_transcript *t, tn_span message) {
  tn_hash_update(&t->chosen, message.p, message.n);
  if (t->hash == NULL) tn_hash_update(&t->other, message.p, message.n);
}

void tn_transcript_choose(tn_transcript *t, const tn_hash *hash) {
  if (t->hash != NULL) return;
  if (hash == t->other.hash) t->chosen = t->other;
  t->hash = hash;
}

void tn_transcript_digest(const tn_transcript *t, uint8_t *digest) {
  tn_hash_ctx copy = t->chosen;
  tn_hash_final(&copy, digest);
}

void tn_transcript_retry(tn_transcript *t) {
  uint8_t message[4 + TN_HASH_MAX_DIGEST] = {TN_MSG_MESSAGE_HASH, 0, 0, t->hash->digest_len};
  tn_hash_final(&t->chosen, message + 4);
  tn_hash_init(&t->chosen, t->hash);
  tn_hash_update(&t->chosen, message, 4u + t->hash->digest_len);
}
