// SHA-1's compression function with the SHA extensions.
#include "crypto/x86_64/sha1_shani.h"

#include "base/mem.h"
#include "crypto/hash/compress.h"

#if defined(__x86_64__)

__attribute__((target("sha,ssse3,sse4.1"))) void tn_sha1_compress_shani(void *state, const uint8_t *p,
                                                                        size_t n_blocks) {
  tn_sha1_lanes v = tn_sha1_load(state);
  for (; n_blocks != 0; n_blocks--, p += 64) v = tn_sha1_block(v, p, tn_nothing_beside, NULL);
  tn_sha1_store(state, v);
  tn_wipe_vectors();
}

#endif
