// AES (FIPS 197), bitsliced over 64-bit words: four blocks at a time, without tables.
// leaks: the key length.
#ifndef TN_CRYPTO_AES_CT64_H
#define TN_CRYPTO_AES_CT64_H

#include <stddef.h>
#include <stdint.h>

#define TN_AES_BLOCK 16
#define TN_AES_CT64_BLOCKS 4   // that are worked on together
#define TN_AES_CT128_BLOCKS 8  // the same on vectors of 128 bits

typedef struct tn_aes_ct64_key {
  uint64_t round_keys[2 * 15];  // two words a round, every bit of the round key once
  unsigned rounds;
} tn_aes_ct64_key;

// `key_len` is 16, 24 or 32 bytes.
void tn_aes_ct64_set_key(tn_aes_ct64_key *key, const uint8_t *raw, size_t key_len);

// Encrypts and decrypts four blocks in place.
void tn_aes_ct64_encrypt(const tn_aes_ct64_key *key, uint8_t blocks[TN_AES_CT64_BLOCKS * TN_AES_BLOCK]);
void tn_aes_ct64_decrypt(const tn_aes_ct64_key *key, uint8_t blocks[TN_AES_CT64_BLOCKS * TN_AES_BLOCK]);

// The same for eight blocks, in little more time. Leave what they worked on in vector registers.
void tn_aes_ct128_encrypt(const tn_aes_ct64_key *key, uint8_t blocks[TN_AES_CT128_BLOCKS * TN_AES_BLOCK]);
void tn_aes_ct128_decrypt(const tn_aes_ct64_key *key, uint8_t blocks[TN_AES_CT128_BLOCKS * TN_AES_BLOCK]);

#endif
