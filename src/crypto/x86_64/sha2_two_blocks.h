// SHA-2's compression function, its message schedules as in sha_two_blocks.h. A template, included after that file and
// the definitions of
//   COMPRESS, WIPE_VECTORS  the function's name, and what wipes the registers that it uses
//   SCHEDULE(w, v)          what puts the schedule's next words into w[v]: w[0] to w[VECTORS - 1] hold the last sixteen
//                           words of each block, w[v] the oldest

#define KW(i) KW_AT(at, i)
// The same, after the schedule of the rounds sixteen ahead.
#define KW_AND_SCHEDULE(i)                                                   \
  ({                                                                         \
    if ((i) % WORDS == 0) {                                                  \
      SCHEDULE(w, (i) / WORDS);                                              \
      store_kw(at + 2 * (16 + (i)), w[(i) / WORDS], for_both(k + 16 + (i))); \
    }                                                                        \
    KW(i);                                                                   \
  })

TARGET void COMPRESS(void *state, const uint8_t *p, size_t n_blocks) {
  _Alignas(32) word kw[2 * ROUNDS];
  word *s = state;
  vec w[VECTORS];
  while (n_blocks != 0) {
    // The last of an odd number stands in both halves.
    const uint8_t *second = n_blocks == 1 ? p : p + BLOCK_LEN;
    for (size_t v = 0; v < VECTORS; v++) {
      w[v] = load_both(p + 16 * v, second + 16 * v);
      store_kw(kw + 2 * WORDS * v, w[v], for_both(K + WORDS * v));
    }
    {
      BEGIN_ROUNDS(s);
      word *at = kw;
      for (const word *k = K; k != K + ROUNDS - 16; k += 16, at += 2 * 16) {
        SIXTEEN_ROUNDS(KW_AND_SCHEDULE);
      }
      SIXTEEN_ROUNDS(KW);
      END_ROUNDS(s);
    }
    if (n_blocks == 1) break;
    {
      BEGIN_ROUNDS(s);
      for (const word *at = kw + WORDS; at < kw + 2 * ROUNDS; at += 2 * 16) {
        SIXTEEN_ROUNDS(KW);
      }
      END_ROUNDS(s);
    }
    p += 2 * BLOCK_LEN;
    n_blocks -= 2;
  }
  tn_wipe(kw, sizeof kw);
  WIPE_VECTORS();
}
