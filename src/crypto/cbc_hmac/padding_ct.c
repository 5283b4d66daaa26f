// Every byte that may be padding or MAC is compared with what stood there if it was. The MAC would have to be moved to
// a secret place for that; it is repeated all along instead, each byte at every mac_len-th place, after it was turned
// so that they fall into step.
#include "crypto/cbc_hmac/padding_ct.h"

#include <string.h>

#include "base/ct.h"
#include "base/mem.h"

// The end of the text: MAC, 255 bytes of padding, their length; rounded up to whole vectors.
#define TAIL 304
#define LANES 8
typedef int16_t lanes __attribute__((vector_size(2 * LANES)));
typedef uint8_t narrow __attribute__((vector_size(LANES)));
_Static_assert(TAIL >= TN_CBC_HMAC_MAX_MAC + 256 && TAIL % LANES == 0, "the tail holds it");

uint64_t tn_padding_claimed_ct(const uint8_t *text, size_t n, size_t mac_len, uint64_t *fits) {
  const uint64_t claimed = text[n - 1];
  *fits = tn_ct_lt(claimed, n - mac_len);
  return claimed & *fits;
}

// x % m for x < TAIL, m >= 20.
static uint64_t remainder_ct(uint64_t x, uint64_t m) {
  for (int shift = 3; shift >= 0; shift--) x -= ~tn_ct_lt(x, m << shift) & (m << shift);
  return x;
}

// Repeats the MAC to the end of `track`, so that one of its copies begins at `start`.
static void repeat(uint8_t track[TAIL], const uint8_t *mac, size_t mac_len, uint64_t start) {
  uint8_t turned[2][TN_CBC_HMAC_MAX_MAC];
  const uint64_t turn = remainder_ct(start, mac_len);
  unsigned from = 0;
  memcpy(turned[0], mac, mac_len);
  for (size_t by = 1, bit = 0; by < mac_len; by <<= 1, bit++, from ^= 1) {
    const uint8_t mask = (uint8_t)tn_ct_mask_bit(turn >> bit), *old = turned[from];
    uint8_t *to = turned[from ^ 1];
    for (size_t i = 0; i < by; i++) to[i] = (uint8_t)(old[i] ^ (mask & (old[i] ^ old[i + mac_len - by])));
    for (size_t i = by; i < mac_len; i++) to[i] = (uint8_t)(old[i] ^ (mask & (old[i] ^ old[i - by])));
  }
  for (size_t at = 0; at < TAIL; at += mac_len)
    memcpy(track + at, turned[from], mac_len < TAIL - at ? mac_len : TAIL - at);
  tn_wipe(turned, sizeof turned);
}

static lanes load(const uint8_t *p) {
  narrow bytes;
  memcpy(&bytes, p, sizeof bytes);
  return __builtin_convertvector(bytes, lanes);
}

uint64_t tn_padding_check_ct(const uint8_t *text, size_t n, const uint8_t *mac, size_t mac_len, uint64_t padding) {
  static const lanes first_index = {0, 1, 2, 3, 4, 5, 6, 7};
  uint8_t tail[TAIL], track[TAIL];
  const size_t used = n < mac_len + 256 ? n : mac_len + 256, begin = TAIL - used;
  const uint64_t padding_at = TAIL - 1 - padding, mac_at = padding_at - mac_len;
  memset(tail, 0, begin);
  memcpy(tail + begin, text + n - used, used);
  memset(track, 0, sizeof track);
  if (mac_len != 0) repeat(track, mac, mac_len, mac_at);

  // A difference of indices is negative: its sign, spread over the lane, is the mask.
  const lanes before_padding = (lanes){0} + (int16_t)(padding_at - 1), before_mac = (lanes){0} + (int16_t)(mac_at - 1);
  const lanes value = (lanes){0} + (int16_t)padding;
  lanes differs = {0};
  for (size_t i = begin - begin % LANES; i < TAIL; i += LANES) {
    const lanes index = first_index + (int16_t)i, is_mac = load(track + i);
    const lanes in_padding = (before_padding - index) >> 15, after_start = (before_mac - index) >> 15;
    const lanes wanted = is_mac ^ (in_padding & (is_mac ^ value));
    differs |= (load(tail + i) ^ wanted) & after_start;
  }
  uint64_t sum = 0;
  for (size_t i = 0; i < LANES; i++) sum |= (uint64_t)(uint16_t)differs[i];
  tn_wipe(tail, sizeof tail);
  tn_wipe(track, sizeof track);
  return tn_ct_is_zero(sum);
}
