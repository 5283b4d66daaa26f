// Constant time: CBC records with keys, text and fragment secret. Of a record to open only its length is public, and
// then the verdict; of one that is right, the length of its text. Every padding length, right and wrong.
#include "base/ct.h"
#include "crypto/cbc_hmac_oracle.h"
#include "secret.h"

static uint8_t text[2048], fragment[4096], sealed[4096], out[4096];

static tn_cbc_hmac_key secret_key(const oracle *o) {
  oracle secret = *o;
  TN_SECRET(secret.mac_raw, sizeof secret.mac_raw);
  TN_SECRET(secret.cipher_raw, sizeof secret.cipher_raw);
  return oracle_key(&secret);
}

static size_t wanted_fragment(oracle *o, size_t n, oddity odd) {
  UNWATCHED_BEGIN();
  const size_t len = oracle_seal(o, text, n, odd, fragment);
  UNWATCHED_END();
  TN_PUBLIC(fragment, len);
  TN_PUBLIC(o->iv, sizeof o->iv);
  return len;
}

// Whether a record whose ciphertext holds `len` bytes, so much of it padding, opens as it should.
static bool opens(const oracle *o, size_t len, size_t padding, uint8_t change, size_t at) {
  oracle seals = *o;
  const size_t block_len = o->pair->cipher->block_len, mac_len = o->encrypt_then_mac ? 0 : o->pair->hash->digest_len;
  const size_t n = len - mac_len - 1 - padding;
  const size_t fragment_len = wanted_fragment(&seals, n, (oddity){padding / block_len, at, change});
  tn_cbc_hmac_key key = secret_key(o);
  size_t text_len;
  TN_SECRET(fragment, fragment_len);
  const tn_result r =
      tn_cbc_hmac_open(&key, &o->record, (tn_span){fragment, fragment_len}, (tn_mspan){out, sizeof out}, &text_len);
  tn_cbc_hmac_wipe_key(&key);
  TN_PUBLIC(fragment, fragment_len);
  TN_PUBLIC(out, len);
  if (change != 0) return !tn_ok(r);
  return tn_ok(r) && text_len == n && memcmp(out, text, n) == 0;
}

static bool seals(const oracle *o, size_t n) {
  oracle wanted = *o;
  const size_t len = wanted_fragment(&wanted, n, (oddity){0});
  tn_cbc_hmac_key key = secret_key(o);
  TN_SECRET(text, n);
  const tn_span in[] = {{text, n / 3}, {text + n / 3, n - n / 3}};
  bool right = tn_ok(tn_cbc_hmac_seal(&key, &o->record, in, 2, NULL, (tn_mspan){sealed, sizeof sealed}));
  tn_cbc_hmac_wipe_key(&key);
  TN_PUBLIC(text, n);
  TN_PUBLIC(sealed, len);
  return right && (o->explicit_iv || memcmp(sealed, fragment, len) == 0);
}

int main(void) {
  test_rng rng = {1};
  bool right = true;
  test_rng_bytes(&rng, text, sizeof text);
  for (const tn_cbc_hmac *const *pair = tn_cbc_hmacs; *pair != NULL; pair++) {
    const size_t block_len = (*pair)->cipher->block_len, mac_len = (*pair)->hash->digest_len;
    // From the shortest on; the three last have room for any padding.
    const size_t lengths[] = {(mac_len / block_len + 1) * block_len, 96, 208, 320, 368, 1040};
    for (size_t way = 0; way < 4; way++) {
      const oracle o = oracle_of(&rng, *pair, way % 2, way / 2);
      // The cipher's key has no part in padding: a longer one is tried with few, but for the hash that has no other.
      const bool each = way == 1 && ((*pair)->cipher->key_len != 32 || (*pair)->hash == &tn_sha384);
      for (size_t i = 0; i < COUNT(lengths); i++) {
        const size_t most = lengths[i] - (way / 2 ? 0 : mac_len) - 1;
        right &= seals(&o, most);
        for (size_t padding = 0; padding <= most && padding < 256; padding += each && i < 5 ? 1 : 51) {
          right &= opens(&o, lengths[i], padding, 0, 0);
          right &= opens(&o, lengths[i], padding, 0x80, padding / 2);  // the padding, or its length
          right &= way / 2 || opens(&o, lengths[i], padding, 1, padding + 1 + mac_len / 2);
        }
      }
    }
  }
  if (!right) puts("a CBC record is not opened or sealed as it should be");
  return !right;
}
