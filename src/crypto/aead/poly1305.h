// The Poly1305 one-time authenticator, RFC 8439 section 2.5.
#ifndef TN_CRYPTO_POLY1305_H
#define TN_CRYPTO_POLY1305_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TN_POLY1305_KEY_LEN 32
#define TN_POLY1305_TAG_LEN 16
#define TN_POLY1305_BLOCK 16

// One message on its way. Constant time. leaks: the length of each piece.
typedef struct tn_poly1305 {
  uint64_t h[3];                     // the accumulator, least word first; poly1305_block.h says how far reduced
  uint64_t r[3];                     // clamped, two words; the third is 5/4 of the second
  uint64_t power[3];                 // if has_power: of r, in limbs of 44 bits, for hashing in two halves
  uint64_t s[2];                     // added at the end
  uint8_t block[TN_POLY1305_BLOCK];  // the first `used` bytes of a block that is not complete
  size_t used;
  bool has_power;
} tn_poly1305;

// A key authenticates one message only.
void tn_poly1305_init(tn_poly1305 *mac, const uint8_t key[TN_POLY1305_KEY_LEN]);
void tn_poly1305_update(tn_poly1305 *mac, const uint8_t *data, size_t n);
// Zeros up to the next multiple of 16 bytes (the padding of the AEAD, RFC 8439 section 2.8).
void tn_poly1305_pad(tn_poly1305 *mac);
// The tag. Wipes `mac`.
void tn_poly1305_final(tn_poly1305 *mac, uint8_t tag[TN_POLY1305_TAG_LEN]);

#endif
