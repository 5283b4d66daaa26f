// CBC records of TLS 1.0 to 1.2: a block cipher in CBC mode and HMAC, MAC-then-encrypt (RFC 5246 section 6.2.3.2,
// RFC 4346 and RFC 2246 likewise) or encrypt-then-MAC (RFC 7366). One row for each pair that cipher suites name.
#ifndef TN_CRYPTO_CBC_HMAC_H
#define TN_CRYPTO_CBC_HMAC_H

#include "crypto/cipher/cipher.h"
#include "crypto/kdf/hmac.h"
#include "crypto/rng/rng.h"

#define TN_CBC_HMAC_MAX_MAC 48               // HMAC-SHA384's
#define TN_CBC_HMAC_MAX_TEXT (16384 + 1024)  // of one record: TLSCompressed, RFC 5246 section 6.2.2
#define TN_CBC_HMAC_MAX_FRAGMENT (16384 + 2048)

typedef struct tn_cbc_hmac_key tn_cbc_hmac_key;

// One way to run a cipher's CBC encryption and a hash at once.
typedef struct tn_cbc_hmac_impl {
  const char *path;  // "turns": those of the cipher and of the hash, called by turns; "shani"
  uint32_t cpu;      // the TN_CPU_ bits that it needs
  // Absorbs `turns` blocks of the hash, whose buffer is empty, at `hashed`, and encrypts as many bytes at `text` in
  // place, moving the IV on. Each turn reads its block before it writes its text; the two may overlap.
  void (*by_turns)(const tn_cbc_hmac_key *key, tn_hash_ctx *hash, const uint8_t *hashed, uint8_t *iv, uint8_t *text,
                   size_t turns);
} tn_cbc_hmac_impl;

// A pair of a cipher and a hash.
typedef struct tn_cbc_hmac {
  const char *name;  // "aes-128-cbc-hmac-sha1"
  const tn_cipher *cipher;
  const tn_hash *hash;                   // of the SHA-1 and SHA-2 families
  const tn_cbc_hmac_impl *const *impls;  // best first, the one that is always there last, then NULL
} tn_cbc_hmac;

extern const tn_cbc_hmac tn_aes_128_cbc_hmac_sha1;  // RFC 5246 appendix A.5
extern const tn_cbc_hmac tn_aes_256_cbc_hmac_sha1;
extern const tn_cbc_hmac tn_aes_128_cbc_hmac_sha256;
extern const tn_cbc_hmac tn_aes_256_cbc_hmac_sha256;
extern const tn_cbc_hmac tn_aes_256_cbc_hmac_sha384;  // RFC 5289
extern const tn_cbc_hmac tn_3des_cbc_hmac_sha1;

// Every pair; ends with NULL.
extern const tn_cbc_hmac *const tn_cbc_hmacs[];

// The protection of one direction. Wipe it with tn_cbc_hmac_wipe_key().
struct tn_cbc_hmac_key {
  const tn_cbc_hmac *pair;
  const tn_cbc_hmac_impl *impl;
  bool explicit_iv;
  bool encrypt_then_mac;
  uint8_t iv[TN_CIPHER_MAX_BLOCK];  // without explicit IVs: the last block of ciphertext, RFC 2246 section 6.2.3.2
  tn_hmac_key mac;
  tn_cipher_key cipher;
};

// What a record's MAC covers besides its fragment.
typedef struct tn_cbc_hmac_record {
  uint64_t sequence;
  uint8_t type;
  uint16_t version;
} tn_cbc_hmac_record;

// `mac_raw` is pair->hash->digest_len bytes, `cipher_raw` pair->cipher->key_len. `iv`, a block, is where TLS 1.0's
// chain of IVs begins; NULL for the explicit IVs of TLS 1.1 and 1.2.
void tn_cbc_hmac_set_key(tn_cbc_hmac_key *key, const tn_cbc_hmac *pair, bool encrypt_then_mac, const uint8_t *mac_raw,
                         const uint8_t *cipher_raw, const uint8_t *iv);
void tn_cbc_hmac_wipe_key(tn_cbc_hmac_key *key);

// The length of the fragment that seals n bytes: IV where it is explicit, text, MAC, the least padding.
size_t tn_cbc_hmac_sealed_len(const tn_cbc_hmac_key *key, size_t n);
// Where in the fragment the text begins.
size_t tn_cbc_hmac_text_at(const tn_cbc_hmac_key *key);

// Seals the spans, one after the other, as the fragment of one record into the first tn_cbc_hmac_sealed_len() bytes of
// `out`. A span may lie where its text goes, from tn_cbc_hmac_text_at() on; no other overlap. An explicit IV comes from
// `rng` (NULL: tn_rng_fast). leaks: lengths. Fails with TN_E_BAD_ARGUMENT over TN_CBC_HMAC_MAX_TEXT bytes, with
// TN_E_NO_SPACE, or as the generator does; the text is not touched then, nor is the key.
TN_MUST_USE tn_result tn_cbc_hmac_seal(tn_cbc_hmac_key *key, const tn_cbc_hmac_record *record, const tn_span *in,
                                       size_t n_in, const tn_rng *rng, tn_mspan out);

// The room that opening a fragment of n bytes asks for: text, padding and, unless it stands outside, the MAC.
// 0 where no fragment is that long or short.
size_t tn_cbc_hmac_open_room(const tn_cbc_hmac_key *key, size_t n);

// Opens a fragment: text_len bytes of text at out.p, zeros after them to the end of the room. `out` is disjoint from
// the fragment, or begins at the fragment's text (tn_cbc_hmac_text_at()). leaks: the fragment's length and the verdict
// and, if it is success, the text's length; of a failure, not its cause. Whatever is wrong with a fragment is
// TN_E_BAD_RECORD_MAC: its room in `out` is zeroed, the key is not touched. TN_E_NO_SPACE if `out` lacks the room.
TN_MUST_USE tn_result tn_cbc_hmac_open(tn_cbc_hmac_key *key, const tn_cbc_hmac_record *record, tn_span fragment,
                                       tn_mspan out, size_t *text_len);

// ---------------------------------------------------------------- for the files of this folder

// seq_num, type, version, length: what the MAC covers first.
#define TN_CBC_HMAC_HEADER 13
void tn_cbc_hmac_header(uint8_t header[TN_CBC_HMAC_HEADER], const tn_cbc_hmac_record *record, uint64_t length);

extern const tn_cbc_hmac_impl tn_cbc_hmac_turns;
#if defined(__x86_64__)
extern const tn_cbc_hmac_impl tn_aes_128_cbc_hmac_sha1_shani;
extern const tn_cbc_hmac_impl tn_aes_256_cbc_hmac_sha1_shani;
extern const tn_cbc_hmac_impl tn_aes_128_cbc_hmac_sha256_shani;
extern const tn_cbc_hmac_impl tn_aes_256_cbc_hmac_sha256_shani;
#endif

#endif
