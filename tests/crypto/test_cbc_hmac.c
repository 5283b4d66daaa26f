// CBC records against the oracle's, right ones and wrong ones.
#include "base/cpu.h"
#include "crypto/cbc_hmac_oracle.h"

#define GUARD 0xa5
#define GUARDS 32

static uint8_t text[TN_CBC_HMAC_MAX_TEXT + 1], fragment[ORACLE_ROOM], buffer[ORACLE_ROOM + GUARDS];

// Every pair in each of the four ways to use it.
#define EACH_WAY(pair, explicit_iv, etm)                                     \
  for (const tn_cbc_hmac *const *pair = tn_cbc_hmacs; *pair != NULL; pair++) \
    for (unsigned way_ = 0, explicit_iv = 0, etm = 0; way_ < 4; way_++, explicit_iv = way_ & 1, etm = way_ >> 1)

static bool all_are(const uint8_t *p, size_t n, uint8_t value) {
  for (size_t i = 0; i < n; i++)
    if (p[i] != value) return false;
  return true;
}

static tn_result give(void *ctx, uint8_t *out, size_t n) {
  memcpy(out, ctx, n);
  return tn_success();
}

static tn_result refuse(void *ctx, uint8_t *out, size_t n) {
  (void)ctx, (void)out, (void)n;
  return tn_fail(TN_E_NO_RANDOM);
}

// The text cut into spans at random, some of them empty.
static size_t cut(test_rng *rng, const uint8_t *p, size_t n, tn_span spans[8]) {
  size_t count = test_rng_next(rng) % 7, at = 0;
  for (size_t i = 0; i < count; i++) {
    size_t piece = test_rng_next(rng) % (n - at + 1);
    spans[i] = tn_span_of(p + at, piece);
    at += piece;
  }
  spans[count] = tn_span_of(p + at, n - at);
  return count + 1;
}

static void seal_as_the_oracle(test_rng *rng, oracle *o, tn_cbc_hmac_key *key, size_t n, bool in_place) {
  uint8_t iv[TN_CIPHER_MAX_BLOCK];
  memcpy(iv, o->iv, sizeof iv);
  const size_t len = oracle_seal(o, text, n, (oddity){0}, fragment);
  const tn_rng gives = {give, iv};
  assert_int_equal(tn_cbc_hmac_sealed_len(key, n), len);
  memset(buffer, GUARD, sizeof buffer);
  tn_span spans[8];
  const uint8_t *from = text;
  if (in_place) from = memcpy(buffer + tn_cbc_hmac_text_at(key), text, n);
  const size_t n_spans = cut(rng, from, n, spans);
  assert_ok(tn_cbc_hmac_seal(key, &o->record, spans, n_spans, &gives, (tn_mspan){buffer, len}));
  assert_memory_equal(buffer, fragment, len);
  assert_true(all_are(buffer + len, GUARDS, GUARD));
}

// The oracle's fragment of `len` bytes opens to the text.
static void open_the_oracles(const oracle *o, tn_cbc_hmac_key *key, size_t n, size_t len, bool in_place) {
  const size_t room = tn_cbc_hmac_open_room(key, len);
  size_t text_len = 1;
  assert_int_not_equal(room, 0);
  memset(buffer, GUARD, sizeof buffer);
  uint8_t *out = buffer;
  tn_span from = {fragment, len};
  if (in_place) {
    from.p = memcpy(buffer, fragment, len);
    out += tn_cbc_hmac_text_at(key);
  }
  assert_ok(tn_cbc_hmac_open(key, &o->record, from, (tn_mspan){out, room}, &text_len));
  assert_int_equal(text_len, n);
  assert_memory_equal(out, text, n);
  assert_true(all_are(out + n, room - n, 0));
  if (in_place)
    assert_memory_equal(out + room, fragment + len - (o->encrypt_then_mac ? o->pair->hash->digest_len : 0),
                        o->encrypt_then_mac ? o->pair->hash->digest_len : 0);
  else
    assert_true(all_are(out + room, GUARDS, GUARD));
}

static void open_is_refused(const oracle *o, tn_cbc_hmac_key *key, size_t len) {
  const size_t room = tn_cbc_hmac_open_room(key, len);
  const tn_cbc_hmac_key before = *key;
  size_t text_len = 1;
  memset(buffer, GUARD, sizeof buffer);
  tn_result r =
      tn_cbc_hmac_open(key, &o->record, (tn_span){fragment, len}, (tn_mspan){buffer, sizeof buffer}, &text_len);
  assert_int_equal(r.reason, TN_E_BAD_RECORD_MAC);
  assert_int_equal(r.alert, TN_ALERT_BAD_RECORD_MAC);
  assert_int_equal(text_len, 0);
  assert_true(all_are(buffer, room, 0));
  assert_true(all_are(buffer + room, GUARDS, GUARD));
  assert_memory_equal(key->iv, before.iv, sizeof before.iv);
}

// A chain of records of each length; where IVs are not explicit each goes on from the one before.
static void records_of_every_length(void **state) {
  (void)state;
  static const size_t long_ones[] = {1000,  1350,      4096,      8191,      16383,
                                     16384, 16384 + 1, 16384 + 5, 16384 + 6, TN_CBC_HMAC_MAX_TEXT};
  test_rng rng = {1};
  test_rng_bytes(&rng, text, sizeof text);
  EACH_WAY(pair, explicit_iv, etm) {
    oracle o = oracle_of(&rng, *pair, explicit_iv, etm), o_open = o;
    tn_cbc_hmac_key seals = oracle_key(&o), opens = oracle_key(&o);
    for (size_t i = 0; i <= 600 + COUNT(long_ones); i++) {
      const size_t n = i <= 600 ? i : long_ones[i - 601];
      o.record.sequence++;
      seal_as_the_oracle(&rng, &o, &seals, n, i % 2);
      o_open.record = o.record;
      open_the_oracles(&o_open, &opens, n, tn_cbc_hmac_sealed_len(&seals, n), i / 2 % 2);
    }
    tn_cbc_hmac_wipe_key(&seals);
    assert_true(all_are((const uint8_t *)&seals, sizeof seals, 0));
  }
}

// RFC 5246 section 6.2.3.2: "The padding may be any length up to 255 bytes, as long as it results in ... a multiple".
static void padding_of_every_length(void **state) {
  (void)state;
  static const size_t around[] = {0, 64, 300, 1024, 16384};
  test_rng rng = {2};
  test_rng_bytes(&rng, text, sizeof text);
  EACH_WAY(pair, explicit_iv, etm) {
    oracle o = oracle_of(&rng, *pair, explicit_iv, etm);
    const size_t block_len = (*pair)->cipher->block_len;
    for (size_t i = 0; i < COUNT(around); i++)
      for (size_t n = around[i]; n < around[i] + (i < 3 ? block_len : 2); n++)
        for (size_t more = 0; more < 256 / block_len; more++) {
          tn_cbc_hmac_key key = oracle_key(&o);
          const size_t len = oracle_seal(&o, text, n, (oddity){.more = more}, fragment);
          open_the_oracles(&o, &key, n, len, more % 2);
        }
  }
}

// Each byte of MAC and padding wrong in turn, in the plaintext, under every padding: by one bit, by all, and, of the
// padding length, by every value.
static void every_wrong_byte_is_refused(void **state) {
  (void)state;
  test_rng rng = {3};
  test_rng_bytes(&rng, text, sizeof text);
  EACH_WAY(pair, explicit_iv, etm) {
    oracle o = oracle_of(&rng, *pair, explicit_iv, etm);
    const size_t block_len = (*pair)->cipher->block_len, mac_len = etm ? 0 : (*pair)->hash->digest_len;
    static const size_t lengths[] = {0, 1, 61, 200};
    for (size_t i = 0; i < COUNT(lengths); i++)
      for (size_t more = 0; more < 256 / block_len; more += more < 2 ? 1 : 256 / block_len - 3) {
        const size_t n = lengths[i];
        const size_t whole = (n + mac_len) / block_len * block_len + block_len + more * block_len;
        for (size_t at = 0; at < whole - n; at++)
          for (size_t all = 0; all < 2; all++) {
            const uint8_t change = all ? 0xff : (uint8_t)(1 << test_rng_next(&rng) % 8);
            if (etm && at == 0 && whole - n - 1 == change) continue;  // no padding then, and rightly so
            tn_cbc_hmac_key key = oracle_key(&o);
            open_is_refused(&o, &key, oracle_seal(&o, text, n, (oddity){more, at, change}, fragment));
          }
      }
  }
}

// A padding length changed to any other value.
static void every_wrong_padding_length_is_refused(void **state) {
  (void)state;
  test_rng rng = {4};
  test_rng_bytes(&rng, text, sizeof text);
  EACH_WAY(pair, explicit_iv, etm) {
    oracle o = oracle_of(&rng, *pair, explicit_iv, etm);
    for (unsigned change = 1; change < 256; change++)
      for (size_t n = 0; n < 800; n = 3 * n + 9) {
        tn_cbc_hmac_key key = oracle_key(&o);
        const oddity odd = {n % 5, 0, (uint8_t)change};
        const size_t len = oracle_seal(&o, text, n, odd, fragment);
        const size_t block_len = (*pair)->cipher->block_len, padding = block_len - 1 - n % block_len;
        if (etm && padding + odd.more * block_len == change) continue;  // no padding then, and rightly so
        open_is_refused(&o, &key, len);
      }
  }
}

static void every_flipped_bit_is_refused(void **state) {
  (void)state;
  test_rng rng = {5};
  test_rng_bytes(&rng, text, sizeof text);
  EACH_WAY(pair, explicit_iv, etm) {
    const oracle o = oracle_of(&rng, *pair, explicit_iv, etm);
    oracle seals = o;
    const size_t len = oracle_seal(&seals, text, 21, (oddity){.more = 1}, fragment);
    tn_cbc_hmac_key key = oracle_key(&o);
    for (size_t bit = 0; bit < 8 * len; bit++) {
      fragment[bit / 8] ^= (uint8_t)(1 << bit % 8);
      open_is_refused(&o, &key, len);
      fragment[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    // What else the MAC covers.
    for (size_t what = 0; what < 64 + 8 + 16; what++) {
      oracle other = o;
      if (what < 64)
        other.record.sequence ^= (uint64_t)1 << what;
      else if (what < 72)
        other.record.type ^= (uint8_t)(1 << (what - 64));
      else
        other.record.version ^= (uint16_t)(1 << (what - 72));
      open_is_refused(&other, &key, len);
    }
    open_the_oracles(&o, &key, 21, len, false);  // failures left the key as it was
  }
}

static void every_shorter_fragment_is_refused(void **state) {
  (void)state;
  test_rng rng = {6};
  test_rng_bytes(&rng, text, sizeof text);
  EACH_WAY(pair, explicit_iv, etm) {
    const oracle o = oracle_of(&rng, *pair, explicit_iv, etm);
    oracle seals = o;
    tn_cbc_hmac_key key = oracle_key(&o);
    const size_t block_len = (*pair)->cipher->block_len, mac_len = (*pair)->hash->digest_len;
    const size_t len = oracle_seal(&seals, text, 150, (oddity){.more = 3}, fragment);
    const size_t inside = etm ? 1 : mac_len + 1, blocks = (inside + block_len - 1) / block_len * block_len;
    const size_t least = tn_cbc_hmac_text_at(&key) + blocks + (etm ? mac_len : 0);
    for (size_t n = 0; n < len; n++) {
      open_is_refused(&o, &key, n);
      const bool possible = n >= least && (n - least) % block_len == 0;
      assert_int_equal(tn_cbc_hmac_open_room(&key, n) != 0, possible);
    }
    assert_int_equal(tn_cbc_hmac_open_room(&key, TN_CBC_HMAC_MAX_FRAGMENT + block_len), 0);
    assert_int_equal(tn_cbc_hmac_open_room(&key, SIZE_MAX), 0);
  }
}

// Decrypted, all of it is padding, or all but a part of what would be the MAC: longer than can be, which the length of
// the fragment does not show.
static void padding_that_leaves_no_mac_is_refused(void **state) {
  (void)state;
  test_rng rng = {7};
  for (const tn_cbc_hmac *const *pair = tn_cbc_hmacs; *pair != NULL; pair++) {
    oracle o = oracle_of(&rng, *pair, true, false);
    const size_t block_len = (*pair)->cipher->block_len;
    for (size_t len = 64; len <= 256; len += block_len)
      for (size_t value = 0; value < 256; value++) {
        uint8_t plain[256];
        int out_len = 0;
        memset(plain, (int)value, len);
        EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
        assert_int_equal(EVP_EncryptInit_ex(ctx, oracle_cipher(*pair), NULL, o.cipher_raw, o.iv), 1);
        memcpy(fragment, o.iv, block_len);
        assert_int_equal(EVP_EncryptUpdate(ctx, fragment + block_len, &out_len, plain, (int)len), 1);
        EVP_CIPHER_CTX_free(ctx);
        tn_cbc_hmac_key key = oracle_key(&o);
        open_is_refused(&o, &key, block_len + len);
      }
  }
}

static void bad_arguments_change_nothing(void **state) {
  (void)state;
  test_rng rng = {8};
  test_rng_bytes(&rng, text, sizeof text);
  EACH_WAY(pair, explicit_iv, etm) {
    oracle o = oracle_of(&rng, *pair, explicit_iv, etm);
    tn_cbc_hmac_key key = oracle_key(&o);
    const tn_cbc_hmac_key before = key;
    const size_t max = TN_CBC_HMAC_MAX_TEXT;
    const tn_span too_long = {text, max + 1}, two[] = {{text, max}, {text, 1}},
                  endless[] = {{text, 1}, {text, SIZE_MAX}};
    const tn_span some = {text, 100};
    memset(buffer, GUARD, sizeof buffer);
    const tn_mspan all = {buffer, sizeof buffer}, less = {buffer, tn_cbc_hmac_sealed_len(&key, 100) - 1};
    assert_fails(tn_cbc_hmac_seal(&key, &o.record, &too_long, 1, NULL, all), BAD_ARGUMENT);
    assert_fails(tn_cbc_hmac_seal(&key, &o.record, two, 2, NULL, all), BAD_ARGUMENT);
    assert_fails(tn_cbc_hmac_seal(&key, &o.record, endless, 2, NULL, all), BAD_ARGUMENT);
    assert_fails(tn_cbc_hmac_seal(&key, &o.record, &some, 1, NULL, less), NO_SPACE);
    assert_true(all_are(buffer, sizeof buffer, GUARD));
    const size_t len = oracle_seal(&o, text, 100, (oddity){0}, fragment);
    size_t text_len;
    const tn_mspan tight = {buffer, tn_cbc_hmac_open_room(&key, len) - 1};
    assert_fails(tn_cbc_hmac_open(&key, &o.record, (tn_span){fragment, len}, tight, &text_len), NO_SPACE);
    assert_true(all_are(buffer, sizeof buffer, GUARD));
    // A generator that fails: text in place stays.
    if (explicit_iv) {
      const tn_rng fails = {refuse, NULL};
      uint8_t *at = buffer + tn_cbc_hmac_text_at(&key);
      memcpy(at, text, 100);
      const tn_span in_place = {at, 100};
      assert_fails(tn_cbc_hmac_seal(&key, &o.record, &in_place, 1, &fails, all), NO_RANDOM);
      assert_memory_equal(at, text, 100);
      assert_true(all_are(at + 100, 100, GUARD));
    }
    assert_memory_equal(key.iv, before.iv, sizeof before.iv);
  }
}

// The cipher and the hash run in one function where the processor has instructions for both.
static void the_best_path_runs(void **state) {
  (void)state;
  const bool has_both = tn_cpu_has(TN_CPU_AESNI | TN_CPU_SHANI | TN_CPU_SSE41);
  test_rng rng = {11};
  for (const tn_cbc_hmac *const *pair = tn_cbc_hmacs; *pair != NULL; pair++) {
    const oracle o = oracle_of(&rng, *pair, true, false);
    const tn_cbc_hmac_key key = oracle_key(&o);
    const bool is_stitched = (*pair)->cipher != &tn_3des_cbc && (*pair)->hash != &tn_sha384;
    assert_string_equal(key.impl->path, has_both && is_stitched ? "shani" : "turns");
  }
}

// IVs come from the library's own generator where none is given, and no two are the same.
static void ivs_are_drawn(void **state) {
  (void)state;
  test_rng rng = {9};
  oracle o = oracle_of(&rng, &tn_aes_128_cbc_hmac_sha1, true, false);
  tn_cbc_hmac_key key = oracle_key(&o);
  const tn_span some = {text, 100};
  assert_ok(tn_cbc_hmac_seal(&key, &o.record, &some, 1, NULL, (tn_mspan){buffer, sizeof buffer}));
  assert_ok(tn_cbc_hmac_seal(&key, &o.record, &some, 1, NULL, (tn_mspan){fragment, sizeof fragment}));
  assert_memory_not_equal(buffer, fragment, 16);
  assert_memory_not_equal(buffer + 16, fragment + 16, 16);
}

static void registers_are_wiped(void **state) {
  (void)state;
  test_rng rng = {10};
  EACH_WAY(pair, explicit_iv, etm) {
    oracle o = oracle_of(&rng, *pair, explicit_iv, etm);
    tn_cbc_hmac_key key = oracle_key(&o);
    const size_t len = oracle_seal(&o, text, 1000, (oddity){0}, fragment);
    const tn_span some = {text, 1000};
    size_t text_len;
    tn_result r = tn_cbc_hmac_open(&key, &o.record, (tn_span){fragment, len}, (tn_mspan){buffer, len}, &text_len);
    assert_upper_vectors_wiped();
    assert_ok(r);
    r = tn_cbc_hmac_seal(&key, &o.record, &some, 1, NULL, (tn_mspan){buffer, sizeof buffer});
    assert_upper_vectors_wiped();
    assert_ok(r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(records_of_every_length),
      cmocka_unit_test(padding_of_every_length),
      cmocka_unit_test(every_wrong_byte_is_refused),
      cmocka_unit_test(every_wrong_padding_length_is_refused),
      cmocka_unit_test(every_flipped_bit_is_refused),
      cmocka_unit_test(every_shorter_fragment_is_refused),
      cmocka_unit_test(padding_that_leaves_no_mac_is_refused),
      cmocka_unit_test(bad_arguments_change_nothing),
      cmocka_unit_test(the_best_path_runs),
      cmocka_unit_test(ivs_are_drawn),
      cmocka_unit_test(registers_are_wiped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
