// SHA-512's compression function with AVX2 and BMI2.
#include "crypto/hash/sha512.h"

#include "crypto/hash/compress.h"
#include "crypto/hash/sha2.h"

#if defined(__x86_64__)

#define COMPRESS tn_sha512_compress_avx2
#define TARGET __attribute__((target("avx2,bmi2")))

// A vector is two words: W_t = sigma1(W_(t-2)) + W_(t-7) + sigma0(W_(t-15)) + W_(t-16).
#define SCHEDULE(w, v)                                                                               \
  do {                                                                                               \
    const vec w15 = ONE_ON(w[v], w[((v) + 1) % 8]), w7 = ONE_ON(w[((v) + 4) % 8], w[((v) + 5) % 8]); \
    w[v] += SMALL_SIGMA0(w15) + w7 + SMALL_SIGMA1(w[((v) + 7) % 8]);                                 \
  } while (0)

#include "crypto/x86_64/sha2_vector.h"

#endif
