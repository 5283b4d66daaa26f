// Keccak-f[1600] and what sponges do with its state, FIPS 202 sections 3 to 5. Constant time. leaks: lengths.
// The state is 25 lanes; its bytes are those of the lanes, little-endian. What is spilled stays on the stack: the
// operation that the user called ends with tn_wipe_stack() where the state is secret.
#ifndef TN_CRYPTO_KECCAK_H
#define TN_CRYPTO_KECCAK_H

#include <stddef.h>
#include <stdint.h>

#define TN_KECCAK_LANES 25

// The rate of a sponge with a capacity of `bits`, in bytes; that of SHAKE128 is the largest in use.
#define TN_KECCAK_RATE(bits) ((1600 - (bits)) / 8)
#define TN_SHAKE128_RATE TN_KECCAK_RATE(256)
#define TN_SHAKE256_RATE TN_KECCAK_RATE(512)
#define TN_KECCAK_MAX_RATE TN_SHAKE128_RATE

// The bits that come after the message, and the first of the padding (sections 5.1, 6.1 and 6.2, appendix B.2).
#define TN_SHA3_DOMAIN 0x06
#define TN_SHAKE_DOMAIN 0x1f

// The permutation, by the path that this processor can run.
void tn_keccak_f(uint64_t a[TN_KECCAK_LANES]);
const char *tn_keccak_path(void);  // "portable", "bmi2"

// The state's bytes from `at` on: xor of n bytes, a copy of n bytes.
void tn_keccak_xor(uint64_t a[TN_KECCAK_LANES], size_t at, const uint8_t *p, size_t n);
void tn_keccak_copy(const uint64_t a[TN_KECCAK_LANES], size_t at, uint8_t *out, size_t n);

// Absorbs whole blocks, each followed by the permutation.
void tn_keccak_blocks(uint64_t a[TN_KECCAK_LANES], size_t rate, const uint8_t *p, size_t n_blocks);
// Pads a last block of which `at` bytes have been absorbed. The permutation is to follow.
void tn_keccak_pad(uint64_t a[TN_KECCAK_LANES], size_t at, size_t rate, uint8_t domain);

// The implementation that needs BMI1 and BMI2.
void tn_keccak_f_bmi2(uint64_t a[TN_KECCAK_LANES]);

#endif
