#include "tls/key_schedule.h"

#include "base/ct.h"
#include "base/mem.h"
#include "crypto/kdf/hkdf.h"
#include "crypto/kdf/hmac.h"

static const uint8_t zeros[TN_SECRET_MAX];

static tn_result advance(tn_key_schedule *s, tn_stage from, tn_stage to, tn_span ikm) {
  TN_ENSURE(s->stage == from, TN_E_BAD_STATE);
  uint8_t salt[TN_HASH_MAX_DIGEST], empty[TN_HASH_MAX_DIGEST];
  tn_hash_once(s->hash, NULL, 0, empty);
  tn_result r = tn_hkdf_expand_label(s->hash, s->secret, "derived", (tn_span){empty, s->hash->digest_len}, salt,
                                     s->hash->digest_len);
  if (tn_ok(r)) {
    tn_hkdf_extract(s->hash, (tn_span){salt, s->hash->digest_len}, ikm, s->secret);
    s->stage = to;
  }
  tn_wipe(salt, sizeof salt);
  return r;
}

tn_result tn_schedule_start(tn_key_schedule *s, const tn_hash *hash) {
  TN_ENSURE(s->stage == TN_STAGE_NONE, TN_E_BAD_STATE);
  s->hash = hash;
  tn_hkdf_extract(hash, (tn_span){NULL, 0}, (tn_span){zeros, hash->digest_len}, s->secret);
  s->stage = TN_STAGE_EARLY;
  return tn_success();
}

tn_result tn_schedule_handshake(tn_key_schedule *s, tn_span shared_secret) {
  TN_ENSURE(shared_secret.n != 0, TN_E_BAD_ARGUMENT);
  return advance(s, TN_STAGE_EARLY, TN_STAGE_HANDSHAKE, shared_secret);
}

tn_result tn_schedule_master(tn_key_schedule *s) {
  return advance(s, TN_STAGE_HANDSHAKE, TN_STAGE_MASTER, (tn_span){zeros, s->hash->digest_len});
}

tn_result tn_schedule_derive(const tn_key_schedule *s, tn_stage stage, const char *label,
                             const tn_transcript *transcript, tn_traffic_secret *out) {
  TN_ENSURE(s->stage == stage && stage != TN_STAGE_NONE, TN_E_BAD_STATE);
  uint8_t digest[TN_HASH_MAX_DIGEST];
  tn_transcript_digest(transcript, digest);
  TN_TRY(tn_hkdf_expand_label(s->hash, s->secret, label, (tn_span){digest, s->hash->digest_len}, out->bytes,
                              s->hash->digest_len));
  out->present = true;
  return tn_success();
}

tn_result tn_finished_mac(const tn_hash *hash, const tn_traffic_secret *base, const tn_transcript *transcript,
                          uint8_t *out) {
  TN_ENSURE(base->present, TN_E_BAD_STATE);
  uint8_t key[TN_HASH_MAX_DIGEST], digest[TN_HASH_MAX_DIGEST];
  TN_TRY(tn_hkdf_expand_label(hash, base->bytes, "finished", (tn_span){NULL, 0}, key, hash->digest_len));
  tn_transcript_digest(transcript, digest);
  tn_hmac(hash, key, hash->digest_len, digest, hash->digest_len, out);
  tn_wipe(key, sizeof key);
  return tn_success();
}

tn_result tn_traffic_update(const tn_hash *hash, tn_traffic_secret *secret) {
  TN_ENSURE(secret->present, TN_E_BAD_STATE);
  uint8_t next[TN_SECRET_MAX];
  TN_TRY(tn_hkdf_expand_label(hash, secret->bytes, "traffic upd", (tn_span){NULL, 0}, next, hash->digest_len));
  tn_copy(secret->bytes, next, hash->digest_len);
  tn_wipe(next, sizeof next);
  return tn_success();
}
