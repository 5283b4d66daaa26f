#include "pki/base64.h"

#include "base/ct.h"
#include "base/error.h"

// Over the whole alphabet in order: where a run of characters begins, and its first value.
static const struct {
  uint8_t first, last, value;
} runs[] = {{'A', 'Z', 0}, {'a', 'z', 26}, {'0', '9', 52}, {'+', '+', 62}, {'/', '/', 63}};
#define N_RUNS (sizeof runs / sizeof *runs)

// All ones if lo <= v <= hi, else zero; for values below 2^32.
static uint64_t in_range(uint64_t v, uint64_t lo, uint64_t hi) {
  return tn_value_barrier(0 - (~((v - lo) | (hi - v)) >> 63));
}

#define NOT_A_DIGIT 0x40  // set in the value of a character outside the alphabet

static uint32_t digit_value(uint8_t c) {
  uint64_t v = NOT_A_DIGIT;
  for (size_t i = 0; i < N_RUNS; i++)
    v = tn_ct_select(in_range(c, runs[i].first, runs[i].last), (uint64_t)c - runs[i].first + runs[i].value, v);
  return (uint32_t)v;
}

static uint8_t digit_of(uint32_t v) {
  uint64_t c = 0;
  for (size_t i = 0; i < N_RUNS; i++) {
    uint64_t last = runs[i].value + (uint64_t)(runs[i].last - runs[i].first);
    c = tn_ct_select(in_range(v, runs[i].value, last), (uint64_t)v - runs[i].value + runs[i].first, c);
  }
  return (uint8_t)c;
}

static bool is_space(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Four digits at p become three bytes. False, and nothing is written, if one of them is not a digit.
static bool decode_quad(const uint8_t *p, uint8_t out[3]) {
  uint32_t v[4];
  for (int i = 0; i < 4; i++) v[i] = digit_value(p[i]);
  if (tn_ct_declassify(tn_ct_mask_bit((v[0] | v[1] | v[2] | v[3]) / NOT_A_DIGIT))) return false;
  uint32_t bits = v[0] << 18 | v[1] << 12 | v[2] << 6 | v[3];
  out[0] = (uint8_t)(bits >> 16), out[1] = (uint8_t)(bits >> 8), out[2] = (uint8_t)bits;
  return true;
}

// The last quantum: `n` digits (2 or 3) before the padding.
static bool decode_tail(const uint8_t digits[4], unsigned n, uint8_t out[3]) {
  uint8_t quad[4] = {digits[0], digits[1], n == 3 ? digits[2] : (uint8_t)'A', 'A'};
  if (n < 2 || !decode_quad(quad, out)) return false;
  bool clean = tn_ct_declassify(tn_ct_is_zero(out[n - 1]));
  tn_wipe(quad, sizeof quad);
  return clean;
}

// The state of a decoding that met something else than four digits in a row, and what it decoded last.
typedef struct {
  uint8_t digits[4], three[3];
  unsigned n_digits, n_pads;
} quantum;

static bool decode(tn_span text, tn_writer *out, quantum *q) {
  for (size_t i = 0; i < text.n;) {
    if (q->n_digits == 0 && q->n_pads == 0 && text.n - i >= 4 && decode_quad(text.p + i, q->three)) {
      tn_write_bytes(out, q->three, 3);
      i += 4;
      continue;
    }
    uint8_t c = text.p[i++];
    if (!tn_ct_declassify(tn_ct_mask_bit(digit_value(c) / NOT_A_DIGIT))) {
      if (q->n_pads != 0) return false;
      q->digits[q->n_digits++] = c;
      if (q->n_digits == 4) {
        if (!decode_quad(q->digits, q->three)) return false;
        tn_write_bytes(out, q->three, 3);
        q->n_digits = 0;
      }
    } else if (TN_PUBLIC(&c, 1), c == '=') {
      q->n_pads++;
    } else if (!is_space(c)) {
      return false;
    }
  }
  if (q->n_digits == 0) return q->n_pads == 0;
  if (q->n_digits + q->n_pads != 4 || !decode_tail(q->digits, q->n_digits, q->three)) return false;
  tn_write_bytes(out, q->three, q->n_digits - 1);
  return true;
}

tn_result tn_base64_decode(tn_span text, tn_writer *out) {
  quantum q = {0};
  bool good = decode(text, out, &q);
  tn_wipe(&q, sizeof q);
  TN_ENSURE(good, TN_E_PEM);
  return tn_writer_result(out);
}

void tn_base64_encode(tn_span bytes, tn_writer *out) {
  for (size_t i = 0; i < bytes.n; i += 3) {
    size_t n = bytes.n - i < 3 ? bytes.n - i : 3;
    uint32_t bits = 0;
    for (size_t j = 0; j < 3; j++) bits = bits << 8 | (j < n ? bytes.p[i + j] : 0);
    uint8_t *quad = tn_write_space(out, 4);
    if (quad == NULL) return;
    for (size_t j = 0; j < 4; j++) quad[j] = j <= n ? digit_of(bits >> (18 - 6 * j) & 63) : (uint8_t)'=';
  }
}
