// The end of a decrypted fragment, MAC and padding, whose places are secret until the MAC is known to be right.
#ifndef TN_CRYPTO_PADDING_CT_H
#define TN_CRYPTO_PADDING_CT_H

#include "crypto/cbc_hmac/cbc_hmac.h"

// The number of bytes of padding, the padding length itself not counted, that the last of the n bytes claims, if it
// leaves room for the MAC: `fits` is then all ones. Else 0, and fits is zero. n > mac_len. leaks: n, mac_len.
uint64_t tn_padding_claimed_ct(const uint8_t *text, size_t n, size_t mac_len, uint64_t *fits);

// All ones if the n bytes end with the MAC, `padding` bytes of that value, and the padding length, else zero.
// leaks: n, mac_len.
uint64_t tn_padding_check_ct(const uint8_t *text, size_t n, const uint8_t *mac, size_t mac_len, uint64_t padding);

#endif
