// HMAC over a text whose length is secret.
#ifndef TN_CRYPTO_HMAC_CT_H
#define TN_CRYPTO_HMAC_CT_H

#include "crypto/cbc_hmac/cbc_hmac.h"

// The MAC of the header and the first n bytes of text, n being at least `least`, at most `most`, which is at most 255
// more. Reads `most` bytes of text. leaks: least, most.
void tn_hmac_ct(const tn_hmac_key *key, const uint8_t header[TN_CBC_HMAC_HEADER], const uint8_t *text, uint64_t n,
                size_t least, size_t most, uint8_t *mac);

#endif
