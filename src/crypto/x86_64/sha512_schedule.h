// SHA-512's message schedule in sha2_two_blocks.h. A vector is two words of each block:
// W_t = sigma1(W_(t-2)) + W_(t-7) + sigma0(W_(t-15)) + W_(t-16).
#define SCHEDULE(w, v)                                                          \
  do {                                                                          \
    const vec w15 = WORDS_ON(w[v], w[((v) + 1) % 8], 1), w2 = w[((v) + 7) % 8]; \
    const vec w7 = WORDS_ON(w[((v) + 4) % 8], w[((v) + 5) % 8], 1);             \
    w[v] += SMALL_SIGMA0(w15) + w7 + SMALL_SIGMA1(w2);                          \
  } while (0)
