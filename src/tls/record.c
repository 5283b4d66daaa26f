#include "tls/record.h"

#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/mem.h"
#include "crypto/kdf/hkdf.h"
#include "tenon/tls.h"

tn_record_header tn_record_header_of(const uint8_t b[TN_RECORD_HEADER]) {
  return (tn_record_header){b[0], (uint16_t)(b[1] << 8 | b[2]), (uint16_t)(b[3] << 8 | b[4])};
}

tn_result tn_protection_set(tn_protection *p, const tn_suite *suite, const tn_traffic_secret *secret) {
  TN_ENSURE(secret->present, TN_E_BAD_STATE);
  uint8_t key[TN_AEAD_MAX_KEY];
  TN_TRY(tn_hkdf_expand_label(suite->hash, secret->bytes, "iv", (tn_span){NULL, 0}, p->iv, sizeof p->iv));
  TN_TRY(tn_hkdf_expand_label(suite->hash, secret->bytes, "key", (tn_span){NULL, 0}, key, suite->aead->key_len));
  tn_aead_set_key(&p->key, suite->aead, key);
  tn_wipe(key, sizeof key);
  p->suite = suite;
  p->sequence = 0;
  return tn_success();
}

void tn_protection_wipe(tn_protection *p) {
  tn_aead_wipe_key(&p->key);
  tn_wipe(p, sizeof *p);
}

// Section 5.3: the sequence number, left-padded, xor the IV.
static void nonce_of(const tn_protection *p, uint8_t nonce[TN_AEAD_NONCE_LEN]) {
  memcpy(nonce, p->iv, TN_AEAD_NONCE_LEN - 8);
  tn_store_be64(nonce + TN_AEAD_NONCE_LEN - 8, tn_load_be64(p->iv + TN_AEAD_NONCE_LEN - 8) ^ p->sequence);
}

size_t tn_record_size(const tn_protection *p, size_t total) {
  return TN_RECORD_HEADER + total + (p->suite == NULL ? 0 : 1u + p->suite->aead->tag_len);
}

// The part of the spans that starts `skip` bytes in and is `total` bytes long, as at most `room` spans.
static size_t cut_spans(const tn_span *data, size_t n, size_t skip, size_t total, tn_span *out, size_t room) {
  size_t used = 0;
  for (size_t i = 0; i < n && total != 0 && used < room; i++) {
    if (skip >= data[i].n) {
      skip -= data[i].n;
      continue;
    }
    size_t take = data[i].n - skip < total ? data[i].n - skip : total;
    out[used++] = (tn_span){data[i].p + skip, take};
    total -= take;
    skip = 0;
  }
  return total == 0 ? used : SIZE_MAX;
}

static void write_header(uint8_t *out, tn_content_type type, size_t length) {
  tn_writer w = tn_writer_fixed(out, TN_RECORD_HEADER);
  tn_write_u8(&w, (uint8_t)type);
  tn_write_u16(&w, 0x0303);
  tn_write_u16(&w, (uint16_t)length);
}

tn_result tn_record_seal(tn_protection *p, tn_content_type type, const tn_span *data, size_t n, size_t skip,
                         size_t total, uint8_t *out) {
  tn_span in[TN_RECORD_MAX_SPANS + 1];
  TN_ENSURE(total <= TN_RECORD_MAX_PLAINTEXT, TN_E_BAD_ARGUMENT);
  size_t n_in = cut_spans(data, n, skip, total, in, TN_RECORD_MAX_SPANS);
  TN_ENSURE(n_in != SIZE_MAX, TN_E_BAD_ARGUMENT);
  uint8_t *body = out + TN_RECORD_HEADER;

  if (p->suite == NULL) {
    write_header(out, type, total);
    for (size_t i = 0; i < n_in; i++) {
      tn_copy(body, in[i].p, in[i].n);
      body += in[i].n;
    }
    return tn_success();
  }

  TN_ENSURE(p->sequence < UINT64_MAX, TN_E_SEQUENCE_EXHAUSTED);
  const uint8_t inner_type = (uint8_t)type;
  in[n_in++] = (tn_span){&inner_type, 1};
  const size_t sealed = total + 1 + p->suite->aead->tag_len;
  write_header(out, TN_CONTENT_APPLICATION_DATA, sealed);
  uint8_t nonce[TN_AEAD_NONCE_LEN];
  nonce_of(p, nonce);
  tn_mspan to = {body, total + 1};
  TN_TRY(tn_aead_seal(&p->key, nonce, (tn_span){out, TN_RECORD_HEADER}, in, n_in, &to, 1, body + total + 1));
  p->sequence++;
  TN_PUBLIC(body, sealed);
  return tn_success();
}

tn_result tn_record_open(tn_protection *p, const uint8_t *record, size_t n, uint8_t *out, uint8_t *type,
                         size_t *length) {
  // Shorter than a tag: it cannot be authentic.
  const size_t overhead = TN_RECORD_HEADER + p->suite->aead->tag_len;
  TN_ENSURE(n >= overhead, TN_E_BAD_RECORD_MAC);
  TN_ENSURE(p->sequence < UINT64_MAX, TN_E_SEQUENCE_EXHAUSTED);
  size_t inner = n - overhead;
  uint8_t nonce[TN_AEAD_NONCE_LEN];
  nonce_of(p, nonce);
  tn_span in = {record + TN_RECORD_HEADER, inner};
  tn_mspan to = {out, inner};
  TN_TRY(tn_aead_open(&p->key, nonce, (tn_span){record, TN_RECORD_HEADER}, &in, 1, record + TN_RECORD_HEADER + inner,
                      &to, 1));
  p->sequence++;
  // What it says is from here on its reader's: messages are parsed, application data is the application's.
  TN_PUBLIC(out, inner);
  TN_ENSURE(inner <= TN_RECORD_MAX_PLAINTEXT + 1, TN_E_RECORD_OVERFLOW);
  // Section 5.4: the type is the last byte that is not zero. leaks: the length of the padding.
  while (inner != 0 && out[inner - 1] == 0) inner--;
  TN_ENSURE(inner != 0, TN_E_EMPTY_RECORD);
  *type = out[inner - 1];
  *length = inner - 1;
  return tn_success();
}
