#include "crypto/hash/shake.h"

#include "base/mem.h"

static void init(tn_shake *s, uint8_t rate) { *s = (tn_shake){.rate = rate}; }
void tn_shake128_init(tn_shake *s) { init(s, TN_SHAKE128_RATE); }
void tn_shake256_init(tn_shake *s) { init(s, TN_SHAKE256_RATE); }

void tn_shake_absorb(tn_shake *s, const void *p, size_t n) {
  const uint8_t *from = p;
  const size_t room = s->rate - s->at;
  if (n >= room && s->at != 0) {
    tn_keccak_xor(s->state, s->at, from, room);
    tn_keccak_f(s->state);
    from += room;
    n -= room;
    s->at = 0;
  }
  if (n >= s->rate) {
    tn_keccak_blocks(s->state, s->rate, from, n / s->rate);
    from += n - n % s->rate;
    n %= s->rate;
  }
  tn_keccak_xor(s->state, s->at, from, n);
  s->at += (uint8_t)n;
}

void tn_shake_squeeze(tn_shake *s, void *out, size_t n) {
  uint8_t *to = out;
  if (!s->squeezing) {
    tn_keccak_pad(s->state, s->at, s->rate, TN_SHAKE_DOMAIN);
    s->squeezing = true;
    s->at = s->rate;  // no block has been made yet
  }
  while (n != 0) {
    if (s->at == s->rate) {
      tn_keccak_f(s->state);
      s->at = 0;
    }
    const size_t left = s->rate - s->at, fits = n < left ? n : left;
    tn_keccak_copy(s->state, s->at, to, fits);
    s->at += (uint8_t)fits;
    to += fits;
    n -= fits;
  }
}

void tn_shake_wipe(tn_shake *s) {
  tn_wipe(s, sizeof *s);
  tn_wipe_stack();
}

static void once(uint8_t rate, const void *p, size_t n, void *out, size_t out_len) {
  tn_shake s;
  init(&s, rate);
  tn_shake_absorb(&s, p, n);
  tn_shake_squeeze(&s, out, out_len);
  tn_shake_wipe(&s);
}

void tn_shake128(const void *p, size_t n, void *out, size_t out_len) { once(TN_SHAKE128_RATE, p, n, out, out_len); }
void tn_shake256(const void *p, size_t n, void *out, size_t out_len) { once(TN_SHAKE256_RATE, p, n, out, out_len); }
