// AES-GCM with AES-NI and PCLMULQDQ: eight registers of one block.
#include "base/cpu.h"
#include "base/mem.h"

#if defined(__x86_64__)

#include "crypto/x86_64/gcm_x86.h"

#define TARGET __attribute__((target("aes,pclmul,ssse3,sse4.1")))
#define VECTOR __m128i
#define LANES 1
#define GROUP 8
#define REGISTER "x"
#define WIPE_VECTORS tn_wipe_vectors
#define WIDE_INLINE TARGET __attribute__((always_inline)) static inline

WIDE_INLINE __m128i wide_load(const void *p) { return load(p); }
WIDE_INLINE void wide_store(void *p, __m128i x) { store(p, x); }
WIDE_INLINE __m128i wide_broadcast(const __m128i *p) { return *p; }
WIDE_INLINE __m128i wide_low(__m128i b) { return b; }
WIDE_INLINE __m128i wide_fold(__m128i x) { return x; }
WIDE_INLINE __m128i wide_reverse(__m128i x) { return reverse_bytes(x); }
WIDE_INLINE __m128i wide_swap(__m128i x) { return swap_halves(x); }
WIDE_INLINE __m128i wide_aesenc(__m128i x, __m128i k) { return _mm_aesenc_si128(x, k); }
WIDE_INLINE __m128i wide_aesenclast(__m128i x, __m128i k) { return _mm_aesenclast_si128(x, k); }
WIDE_INLINE __m128i wide_multiply_low(__m128i a, __m128i b) { return _mm_clmulepi64_si128(a, b, 0x00); }
WIDE_INLINE __m128i wide_multiply_high(__m128i a, __m128i b) { return _mm_clmulepi64_si128(a, b, 0x11); }
WIDE_INLINE __m128i wide_count(__m128i x, int n) { return _mm_add_epi32(x, _mm_set_epi32(0, 0, 0, n)); }
WIDE_INLINE __m128i wide_counters(__m128i c) { return c; }
WIDE_INLINE __m128i wide_load_part(const uint8_t *p, size_t n) { return load_under_16(p, n); }
WIDE_INLINE void wide_store_part(uint8_t *p, __m128i x, size_t n) { store_under_16(p, x, n); }
WIDE_INLINE __m128i wide_keep(__m128i x, size_t n) { return x & load(keep_bytes + 32 - n); }

#include "crypto/x86_64/gcm_wide.h"

#define NEEDS (X86_NEEDS)

IMPL(aesni, 128, 10, NEEDS)
IMPL(aesni, 256, 14, NEEDS)

#endif
