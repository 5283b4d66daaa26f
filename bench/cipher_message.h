// The IV of a message that an operation of a cipher mode encrypts or decrypts.
#ifndef TN_BENCH_CIPHER_MESSAGE_H
#define TN_BENCH_CIPHER_MESSAGE_H

#include "base/bytes.h"
#include "crypto/cipher/cipher.h"
#include "way.h"

typedef struct cipher_iv {
  uint8_t bytes[TN_CIPHER_MAX_BLOCK];
} cipher_iv;

static inline cipher_iv cipher_iv_of(uint64_t i) {
  cipher_iv iv = {{0}};
  tn_store_be64(iv.bytes, i);
  return iv;
}

#endif
