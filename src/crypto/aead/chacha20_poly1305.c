// The row of AEAD_CHACHA20_POLY1305, RFC 8439 section 2.8.
#include "crypto/aead/chacha20_poly1305.h"

#include "base/bytes.h"
#include "crypto/aead/poly1305.h"

_Static_assert(sizeof(tn_chacha20_poly1305_key) <= TN_AEAD_KEY_STATE, "the key fits its state");

void tn_chacha20_poly1305_set_key(void *state, const uint8_t *raw) {
  tn_chacha20_poly1305_key *key = state;
  for (size_t i = 0; i < 8; i++) key->words[i] = tn_load_le32(raw + 4 * i);
}

static const tn_aead_impl *const impls[] = {
#if defined(__x86_64__)
    &tn_chacha20_poly1305_avx512,   &tn_chacha20_poly1305_avx2,
    &tn_chacha20_poly1305_ssse3,
#endif
    &tn_chacha20_poly1305_portable, NULL,
};

// No limit of its own: the record sequence number wraps first (RFC 9846 section 5.5).
// A text has as many blocks as the counter after block 0 (RFC 8439 section 2.8).
const tn_aead tn_chacha20_poly1305 = {"chacha20-poly1305", 32,    TN_POLY1305_TAG_LEN,
                                      UINT64_MAX,          impls, ((uint64_t)1 << 38) - 64};
