// Every byte that may be padding or MAC is compared with what stood there if it was. The MAC would have to be moved to
// a secret place for that; instead, copies of it are laid end to end all along, and moved by less than one of them.
#include "crypto/cbc_hmac/padding_ct.h"

#include <string.h>

#include "base/ct.h"
#include "base/mem.h"

// The end of the text: MAC, 255 bytes of padding, their length; rounded up to whole vectors.
#define TAIL 304
#define LANES 8
typedef int16_t lanes __attribute__((vector_size(2 * LANES)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint8_t narrow __attribute__((vector_size(LANES)));
_Static_assert(TAIL >= TN_CBC_HMAC_MAX_MAC + 256 && TAIL % LANES == 0, "the tail holds it");

uint64_t tn_padding_claimed_ct(const uint8_t *text, size_t n, size_t mac_len, uint64_t *fits) {
  const uint64_t claimed = text[n - 1];
  *fits = tn_ct_lt(claimed, n - mac_len);
  return claimed & *fits;
}

// x % m for x < 16 * m.
static uint64_t remainder_ct(uint64_t x, uint64_t m) {
  for (int shift = 3; shift >= 0; shift--) x -= ~tn_ct_lt(x, m << shift) & (m << shift);
  return x;
}

// Fills room with copies of the first `period` bytes of it.
static void repeat(uint8_t *p, size_t period, size_t room) {
  for (size_t done = period, n; done < room; done += n) {
    n = done < room - done ? done : room - done;
    memcpy(p + done, p, n);
  }
}

// Fills the track with copies of the MAC, one of which begins at `start`.
static void lay(uint8_t track[TAIL], const uint8_t *mac, size_t mac_len, uint64_t start) {
  // To move the copies by 1, 2, 4... bytes, or not, takes as many more at their left. The margin holds all of those.
  enum { MARGIN = 80, END = MARGIN + TN_CBC_HMAC_MAX_MAC };
  uint8_t copies[END];
  const uint64_t move = remainder_ct(start + MARGIN % mac_len, mac_len);
  memcpy(copies, mac, mac_len);
  repeat(copies, mac_len, END);
  for (size_t by = 1, bit = 0; by < mac_len; by <<= 1, bit++) {
    const bytes16 mask = (bytes16){0} + (uint8_t)tn_ct_mask_bit(move >> bit);
    for (size_t at = END - 16; at >= by; at -= 16) {
      bytes16 here, left;
      memcpy(&here, copies + at, 16);
      memcpy(&left, copies + at - by, 16);
      here ^= mask & (here ^ left);
      memcpy(copies + at, &here, 16);
    }
  }
  memcpy(track, copies + MARGIN, mac_len);
  repeat(track, mac_len, TAIL);
  tn_wipe(copies, sizeof copies);
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
  if (mac_len == 0)
    memset(track, 0, TAIL);
  else
    lay(track, mac, mac_len, mac_at);

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
