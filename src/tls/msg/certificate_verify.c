// CertificateVerify, RFC 9846 section 4.5.2.
#include "base/mem.h"
#include "pki/identity.h"
#include "pki/key.h"
#include "pki/spki.h"
#include "tls/msg/msg.h"

// 64 spaces, the context string, a zero, the transcript hash.
#define CONTEXT "TLS 1.3, server CertificateVerify"
#define CONTENT_MAX (64 + sizeof CONTEXT + TN_HASH_MAX_DIGEST)

// What the server signs; the transcript ends with its Certificate.
static tn_span content(const tn_conn *c, uint8_t out[CONTENT_MAX]) {
  tn_writer w = tn_writer_fixed(out, CONTENT_MAX);
  for (unsigned i = 0; i < 64; i++) tn_write_u8(&w, ' ');
  tn_write_bytes(&w, CONTEXT, sizeof CONTEXT);  // with its zero
  uint8_t digest[TN_HASH_MAX_DIGEST];
  tn_transcript_digest(&c->hs->transcript, digest);
  tn_write_bytes(&w, digest, c->suite->hash->digest_len);
  return tn_writer_span(&w);
}

size_t tn_sign_scheme_rank(const tn_conn *c, const tn_identity *identity) {
  const tn_public_key key = tn_key_public(tn_identity_key(identity));
  size_t i = 0;
  for (; tn_sign_schemes[i] != NULL; i++) {
    const tn_sign_scheme *scheme = tn_sign_schemes[i];
    if (tn_sign_scheme_fits(scheme, &key) && !scheme->in_certificates_only && (c->hs->peer_schemes >> i & 1)) break;
  }
  return i;
}

tn_result tn_send_certificate_verify(tn_conn *c) {
  uint8_t bytes[CONTENT_MAX], signature[TN_SIGNATURE_MAX];
  size_t n = sizeof signature;
  TN_TRY(tn_key_sign(tn_identity_key(c->hs->identity), c->scheme, &c->config->rng, content(c, bytes), signature, &n));
  tn_writer *w = &c->hs->flight;
  tn_scope message = tn_message_open(c, TN_MSG_CERTIFICATE_VERIFY);
  tn_write_u16(w, c->scheme->id);
  tn_scope sig = tn_write_open(w, 2);
  tn_write_bytes(w, signature, n);
  tn_write_close(w, sig);
  return tn_message_close(c, message);
}

tn_result tn_take_certificate_verify(tn_conn *c, tn_span message, tn_reader *body, tn_state *next) {
  uint16_t id;
  tn_reader signature;
  TN_READ(tn_read_u16(body, &id) && tn_read_block16(body, &signature));
  TN_AT_END(body);
  // We offer every scheme of the table that has a number, but for the weak ones, which are for certificates anyway.
  c->scheme = tn_sign_scheme_find(id);
  TN_ENSURE(c->scheme != NULL && !c->scheme->in_certificates_only, TN_E_BAD_SIGNATURE_SCHEME);
  tn_public_key key;
  TN_TRY(tn_cert_public_key(&c->hs->leaf, &key));
  TN_ENSURE(tn_sign_scheme_fits(c->scheme, &key), TN_E_BAD_SIGNATURE_SCHEME);
  uint8_t bytes[CONTENT_MAX];
  TN_TRY(c->scheme->verify(&key, content(c, bytes), tn_reader_rest(&signature)));
  c->hs->proved |= TN_PROVED_SIGNATURE;
  tn_transcript_add(&c->hs->transcript, message);
  *next = TN_CLIENT_WAIT_FINISHED;
  return tn_success();
}
