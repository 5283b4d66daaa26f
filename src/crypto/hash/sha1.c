// SHA-1, FIPS 180-4 section 6.1. No longer fit for signatures; TLS before 1.3 uses it in HMAC and in its PRF.
#include "crypto/hash/sha1.h"

#include "base/mem.h"
#include "crypto/hash/compress.h"
#include "crypto/hash/hash.h"

static inline void store(uint8_t *p, word v) { tn_store_be32(p, v); }
static inline void store_length(uint8_t *p, uint64_t v) { tn_store_be64(p, v); }

// The message schedule W_t, of which the next steps need the last sixteen words only.
#define LAST(t) w[(t) % 16]
#define NEXT(t) ROTL(LAST((t) + 13) ^ LAST((t) + 8) ^ LAST((t) + 2) ^ LAST(t), 1)
#define KW(t) (K(t) + (LAST(t) = (t) < 16 ? load(p + 4 * ((t) % 16)) : NEXT(t)))

static void compress(void *state, const uint8_t *p, size_t n_blocks) {
  word *s = state;
  word w[16];
  for (; n_blocks != 0; n_blocks--, p += BLOCK_LEN) STEPS(s, KW);
  tn_wipe(w, sizeof w);
}

static const compressor compressors[] = {
#if defined(__x86_64__)
    {"shani", TN_CPU_SHANI | TN_CPU_SSE41, tn_sha1_compress_shani},
    {"avx2", TN_CPU_AVX2 | TN_CPU_BMI2, tn_sha1_compress_avx2},
#endif
    {"portable", 0, compress},
};

#include "crypto/hash/merkle_damgard.h"

static void init(tn_hash_ctx *ctx) {
  // Section 5.3.1.
  static const word initial[STATE_WORDS] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  start(ctx, initial);
}

const tn_hash tn_sha1 = {"sha1", 20, BLOCK_LEN, init, blocks, finish, once};
