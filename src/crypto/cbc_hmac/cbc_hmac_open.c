// Opening. MAC-then-encrypt gives the receiver a secret that decides where the MAC lies: the padding length. Whoever
// can tell good padding from bad, or long padding from short, reads the text (Vaudenay 2002; AlFardan and Paterson,
// "Lucky Thirteen", 2013). So for fragments of one length, the same is done for each, and one verdict comes at the end.
#include "base/ct.h"
#include "base/mem.h"
#include "crypto/cbc_hmac/cbc_hmac.h"
#include "crypto/cbc_hmac/hmac_ct.h"
#include "crypto/cbc_hmac/padding_ct.h"

size_t tn_cbc_hmac_open_room(const tn_cbc_hmac_key *key, size_t n) {
  const size_t block_len = key->pair->cipher->block_len, mac_len = key->pair->hash->digest_len;
  const size_t outside = tn_cbc_hmac_text_at(key) + (key->encrypt_then_mac ? mac_len : 0);
  const size_t least = key->encrypt_then_mac ? 1 : mac_len + 1;  // a padding length, at least
  if (n > TN_CBC_HMAC_MAX_FRAGMENT || n < outside + least) return 0;
  return ((n - outside) & (block_len - 1)) == 0 ? n - outside : 0;
}

static void decrypt(const tn_cbc_hmac_key *key, tn_span fragment, uint8_t *text, size_t len, uint8_t *next_iv) {
  const size_t block_len = key->pair->cipher->block_len, text_at = tn_cbc_hmac_text_at(key);
  uint8_t iv[TN_CIPHER_MAX_BLOCK];
  tn_copy(iv, key->explicit_iv ? fragment.p : key->iv, block_len);
  tn_copy(next_iv, fragment.p + text_at + len - block_len, block_len);
  key->cipher.impl->decrypt(key->cipher.state, iv, fragment.p + text_at, text, len);
}

// All ones if the `len` bytes of text end with the right MAC and padding; n is then how many are left.
static uint64_t check_mac_and_padding(const tn_cbc_hmac_key *key, const tn_cbc_hmac_record *record, const uint8_t *text,
                                      size_t len, uint64_t *n) {
  const size_t mac_len = key->pair->hash->digest_len, most = len - mac_len - 1, least = most < 255 ? 0 : most - 255;
  uint64_t fits;
  const uint64_t padding = tn_padding_claimed_ct(text, len, mac_len, &fits);
  *n = most - padding;
  uint8_t header[TN_CBC_HMAC_HEADER], mac[TN_CBC_HMAC_MAX_MAC];
  tn_cbc_hmac_header(header, record, *n);
  tn_hmac_ct(&key->mac, header, text, *n, least, most, mac);
  const uint64_t right = fits & tn_padding_check_ct(text, len, mac, mac_len, padding);
  tn_wipe(mac, sizeof mac);
  return right;
}

// All ones if the `len` bytes of text end with right padding; n is then how many are left.
static uint64_t check_padding(const uint8_t *text, size_t len, uint64_t *n) {
  uint64_t fits;
  const uint64_t padding = tn_padding_claimed_ct(text, len, 0, &fits);
  *n = len - 1 - padding;
  return fits & tn_padding_check_ct(text, len, NULL, 0, padding);
}

// RFC 7366 section 3: the MAC stands at the fragment's end and covers all that is before it.
static bool outer_mac_is_right(const tn_cbc_hmac_key *key, const tn_cbc_hmac_record *record, tn_span fragment) {
  const size_t mac_len = key->pair->hash->digest_len, covered = fragment.n - mac_len;
  uint8_t header[TN_CBC_HMAC_HEADER], mac[TN_CBC_HMAC_MAX_MAC];
  tn_cbc_hmac_header(header, record, covered);
  tn_hmac_ctx ctx;
  tn_hmac_start(&ctx, &key->mac);
  tn_hmac_update(&ctx, header, sizeof header);
  tn_hmac_update(&ctx, fragment.p, covered);
  tn_hmac_final(&ctx, mac);
  const bool right = tn_ct_equal(mac, fragment.p + covered, mac_len);
  tn_wipe(mac, sizeof mac);
  return right;
}

tn_result tn_cbc_hmac_open(tn_cbc_hmac_key *key, const tn_cbc_hmac_record *record, tn_span fragment, tn_mspan out,
                           size_t *text_len) {
  const size_t len = tn_cbc_hmac_open_room(key, fragment.n);
  *text_len = 0;
  TN_ENSURE(len != 0, TN_E_BAD_RECORD_MAC);
  TN_ENSURE(out.n >= len, TN_E_NO_SPACE);
  uint8_t next_iv[TN_CIPHER_MAX_BLOCK];
  uint64_t right = 0, n = 0;
  if (!key->encrypt_then_mac) {
    decrypt(key, fragment, out.p, len, next_iv);
    right = check_mac_and_padding(key, record, out.p, len, &n);
  } else if (outer_mac_is_right(key, record, fragment)) {
    decrypt(key, fragment, out.p, len, next_iv);
    right = check_padding(out.p, len, &n);
  }
  tn_wipe_vectors();
  tn_wipe_stack();
  if (!tn_ct_declassify(right)) {
    tn_wipe(out.p, len);
    return tn_fail(TN_E_BAD_RECORD_MAC);
  }
  TN_PUBLIC(&n, sizeof n);
  tn_wipe(out.p + n, len - n);
  if (!key->explicit_iv) tn_copy(key->iv, next_iv, key->pair->cipher->block_len);
  *text_len = n;
  return tn_success();
}
