// SHA-2's compression function in portable C. A template, included after sha2.h.
#include "base/mem.h"

// The message schedule W_t, of which the next round needs the last sixteen words only.
#define FIRST(i) (K[i] + (w[i] = load(p + (i) * sizeof(word))))
#define NEXT(i) \
  (K[t + (i)] + (w[i] += SMALL_SIGMA1(w[((i) + 14) % 16]) + w[((i) + 9) % 16] + SMALL_SIGMA0(w[((i) + 1) % 16])))

static void compress(void *state, const uint8_t *p, size_t n_blocks) {
  word *s = state;
  word w[16];
  for (; n_blocks != 0; n_blocks--, p += BLOCK_LEN) {
    BEGIN_ROUNDS(s);
    SIXTEEN_ROUNDS(FIRST);
    for (size_t t = 16; t < ROUNDS; t += 16) {
      SIXTEEN_ROUNDS(NEXT);
    }
    END_ROUNDS(s);
  }
  tn_wipe(w, sizeof w);
}
