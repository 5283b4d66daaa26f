// Sealing. CBC encryption waits for each block before it can begin the next, and so does a hash; but neither waits for
// the other. The two go by turns, one block of the hash and as many bytes of the cipher, so that a processor that looks
// ahead runs both at once.
#include "base/mem.h"
#include "crypto/cbc_hmac/cbc_hmac.h"

// Any cipher and any hash.
static void by_turns(const tn_cbc_hmac_key *key, tn_hash_ctx *hash, const uint8_t *hashed, uint8_t *iv, uint8_t *text,
                     size_t turns) {
  const tn_cipher_impl *cipher = key->cipher.impl;
  const size_t step = hash->hash->block_len;
  hash->total += turns * step;
  for (; turns != 0; turns--, hashed += step, text += step) {
    hash->hash->blocks(hash, hashed, 1);
    cipher->encrypt(key->cipher.state, iv, text, text, step);
  }
}

const tn_cbc_hmac_impl tn_cbc_hmac_turns = {"turns", 0, by_turns};

// How many bytes after the header fill the hash's block.
static size_t first_len(const tn_cbc_hmac_key *key) { return key->pair->hash->block_len - TN_CBC_HMAC_HEADER; }

static void pad(uint8_t *at, size_t n) {
  for (size_t i = 0; i < n; i++) at[i] = (uint8_t)(n - 1);
}

// n bytes of text, in place, in room for the `len` bytes of ciphertext. The hash goes ahead.
static void mac_then_encrypt(const tn_cbc_hmac_key *key, tn_hmac_ctx *mac, uint8_t *iv, uint8_t *text, size_t n,
                             size_t len) {
  const size_t step = key->pair->hash->block_len, mac_len = key->pair->hash->digest_len;
  const size_t first = n < first_len(key) ? n : first_len(key);
  const size_t turns = (n - first) / step, encrypted = turns * step, hashed = first + encrypted;
  tn_hmac_update(mac, text, first);
  key->impl->by_turns(key, &mac->inner, text + first, iv, text, turns);
  tn_hmac_update(mac, text + hashed, n - hashed);
  tn_hmac_final(mac, text + n);
  pad(text + n + mac_len, len - n - mac_len);
  key->cipher.impl->encrypt(key->cipher.state, iv, text + encrypted, text + encrypted, len - encrypted);
}

// The same for encrypt-then-MAC, whose MAC begins with the fragment's first byte (an IV) and goes behind the
// ciphertext. The cipher goes ahead, so far that the hash finds its bytes in the cache, not on their way there.
static void encrypt_then_mac(const tn_cbc_hmac_key *key, tn_hmac_ctx *mac, uint8_t *iv, uint8_t *fragment,
                             uint8_t *text, size_t n, size_t len) {
  const size_t step = key->pair->hash->block_len, first = first_len(key), total = (size_t)(text - fragment) + len;
  const size_t ahead = len < 4 * step ? len : 4 * step;
  const size_t turns = (len - ahead) / step, encrypted = ahead + turns * step;
  pad(text + n, len - n);
  key->cipher.impl->encrypt(key->cipher.state, iv, text, text, ahead);
  size_t hashed = 0;
  if (turns != 0) {
    tn_hmac_update(mac, fragment, first);
    key->impl->by_turns(key, &mac->inner, fragment + first, iv, text + ahead, turns);
    hashed = first + turns * step;
  }
  key->cipher.impl->encrypt(key->cipher.state, iv, text + encrypted, text + encrypted, len - encrypted);
  tn_hmac_update(mac, fragment + hashed, total - hashed);
  tn_hmac_final(mac, fragment + total);
}

// The bytes in the spans; more than the limit if they are too many.
static size_t total_of(const tn_span *in, size_t n_in) {
  size_t total = 0;
  for (size_t i = 0; i < n_in && total <= TN_CBC_HMAC_MAX_TEXT; i++)
    total = in[i].n > TN_CBC_HMAC_MAX_TEXT ? in[i].n : total + in[i].n;
  return total;
}

tn_result tn_cbc_hmac_seal(tn_cbc_hmac_key *key, const tn_cbc_hmac_record *record, const tn_span *in, size_t n_in,
                           const tn_rng *rng, tn_mspan out) {
  const size_t n = total_of(in, n_in);
  TN_ENSURE(n <= TN_CBC_HMAC_MAX_TEXT, TN_E_BAD_ARGUMENT);
  const size_t sealed_len = tn_cbc_hmac_sealed_len(key, n), block_len = key->pair->cipher->block_len;
  TN_ENSURE(out.n >= sealed_len, TN_E_NO_SPACE);
  const size_t text_at = tn_cbc_hmac_text_at(key), mac_len = key->encrypt_then_mac ? key->pair->hash->digest_len : 0;
  const size_t len = sealed_len - text_at - mac_len;
  uint8_t *text = out.p + text_at;

  uint8_t drawn[TN_CIPHER_MAX_BLOCK], *iv = key->iv;
  if (key->explicit_iv) {
    iv = drawn;
    TN_TRY(tn_random(rng, iv, block_len));
    tn_copy(out.p, iv, block_len);
  }
  for (size_t i = 0, at = 0; i < n_in; at += in[i].n, i++)
    if (in[i].p != text + at) tn_copy(text + at, in[i].p, in[i].n);

  uint8_t header[TN_CBC_HMAC_HEADER];
  tn_cbc_hmac_header(header, record, key->encrypt_then_mac ? text_at + len : n);
  tn_hmac_ctx mac;
  tn_hmac_start(&mac, &key->mac);
  tn_hmac_update(&mac, header, sizeof header);
  if (key->encrypt_then_mac)
    encrypt_then_mac(key, &mac, iv, out.p, text, n, len);
  else
    mac_then_encrypt(key, &mac, iv, text, n, len);
  return tn_success();
}
