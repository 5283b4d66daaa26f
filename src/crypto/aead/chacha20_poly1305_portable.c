// ChaCha20-Poly1305 on vectors of 128 bits: four words where the processor has none.
#define LANES 1
#define TARGET
#define INLINE static inline __attribute__((always_inline))
#define RUN tn_chacha20_run_portable
#define MAC_BLOCK(h, r, block) tn_poly1305_block(h, r, block, 1)
#define WIPE_VECTORS tn_wipe_vectors
#include "crypto/aead/chacha20_poly1305_lanes.h"

const tn_aead_impl tn_chacha20_poly1305_portable = {.path = "portable", .cpu = 0, CHACHA20_POLY1305_MEMBERS};
