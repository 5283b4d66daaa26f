// Every row of tn_ciphers: against libcrypto, its implementations against each other, over any cut of the text, and
// what a wrong argument does.
#include "crypto/cipher/cipher.h"

#include <openssl/evp.h>

#include "base/cpu.h"
#include "base/mem.h"
#include "support/spans.h"

#define MAX_TEXT 17000

// Copying and comparing leave something in registers that only AVX-512 has: before what is asked about, they are wiped.
static void wipe_vectors(void) {
  if (tn_cpu_has(TN_CPU_AVX512)) tn_wipe_vectors_avx512();
}

static size_t below(test_rng *rng, size_t bound) { return (size_t)(test_rng_next(rng) % bound); }

// ---------------------------------------------------------------- the oracle

static const EVP_CIPHER *oracle_of(const tn_cipher *cipher) {
  const EVP_CIPHER *oracle =
      EVP_get_cipherbyname(strcmp(cipher->name, "3des-cbc") == 0 ? "des-ede3-cbc" : cipher->name);
  if (oracle == NULL) fail_msg("no oracle for %s", cipher->name);
  return oracle;
}

// A random text and what libcrypto makes of it.
typedef struct message {
  const tn_cipher *cipher;
  uint8_t raw_key[TN_CIPHER_MAX_KEY], iv[TN_CIPHER_MAX_BLOCK];
  uint8_t *text, *sealed;  // exactly n bytes, so that a sanitizer sees an overrun
  size_t n;
} message;

static message make_message(test_rng *rng, const tn_cipher *cipher, size_t n) {
  message m = {.cipher = cipher, .n = n, .text = malloc(n), .sealed = malloc(n)};
  test_rng_bytes(rng, m.raw_key, sizeof m.raw_key);
  test_rng_bytes(rng, m.iv, sizeof m.iv);
  test_rng_bytes(rng, m.text, n);
  // Counters that carry: over 32 bits, over 64, over all of them.
  static const size_t carries[] = {4, 8, 16};
  if (cipher->stream && below(rng, 2)) {
    size_t carry = carries[below(rng, COUNT(carries))];
    memset(m.iv + 16 - carry, 0xff, carry);
    m.iv[15] = (uint8_t)(0xff - below(rng, 40));
  }
  EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
  int len = 0;
  assert_int_equal(EVP_EncryptInit_ex(ctx, oracle_of(cipher), NULL, m.raw_key, m.iv), 1);
  EVP_CIPHER_CTX_set_padding(ctx, 0);
  if (n != 0) assert_int_equal(EVP_EncryptUpdate(ctx, m.sealed, &len, m.text, (int)n), 1);
  assert_int_equal(len, n);
  EVP_CIPHER_CTX_free(ctx);
  return m;
}

static void free_message(message *m) {
  free(m->text);
  free(m->sealed);
}

// The IV after the first n bytes of the message.
static void iv_after(const message *m, size_t n, uint8_t iv[TN_CIPHER_MAX_BLOCK]) {
  const size_t block = m->cipher->block_len;
  memcpy(iv, m->iv, block);
  if (!m->cipher->stream) {
    if (n != 0) memcpy(iv, m->sealed + n - block, block);
    return;
  }
  for (size_t used = 0; used < n; used += block)
    for (size_t i = block; i-- > 0 && ++iv[i] == 0;) continue;
}

// ---------------------------------------------------------------- spans

typedef tn_result crypt_fn(const tn_cipher_key *key, uint8_t *iv, const tn_span *in, size_t n_in, const tn_mspan *out,
                           size_t n_out);
static crypt_fn *const directions[] = {tn_cipher_encrypt, tn_cipher_decrypt};

// Encrypts and decrypts one message through the public interface, disjoint or in place, and compares.
static void both_directions(test_rng *rng, const tn_cipher *cipher, size_t n, bool in_place) {
  message m = make_message(rng, cipher, n);
  tn_cipher_key key;
  tn_cipher_set_key(&key, cipher, m.raw_key);
  for (int decrypting = 0; decrypting < 2; decrypting++) {
    uint8_t *from = decrypting ? m.sealed : m.text, *wanted = decrypting ? m.text : m.sealed;
    uint8_t iv[TN_CIPHER_MAX_BLOCK], next_iv[TN_CIPHER_MAX_BLOCK];
    tn_span in[MAX_CUTS];
    tn_mspan out[MAX_CUTS];
    guarded g = make_guarded(n, below(rng, 16));
    if (in_place && n != 0) memcpy(g.p, from, n);
    size_t n_in = cut_const(rng, in_place ? g.p : from, n, in), n_out = cut(rng, g.p, n, out);
    memcpy(iv, m.iv, sizeof iv);
    wipe_vectors();
    assert_ok(directions[decrypting](&key, iv, in, n_in, out, n_out));
    assert_upper_vectors_wiped();
    if (memcmp(g.p, wanted, n) != 0)
      fail_msg("%s %s: %zu bytes differ from libcrypto's%s", cipher->name, key.impl->path, n,
               in_place ? ", in place" : "");
    iv_after(&m, n, next_iv);
    assert_memory_equal(iv, next_iv, cipher->block_len);
    check_and_free_guarded(&g);
  }
  tn_cipher_wipe_key(&key);
  free_message(&m);
}

static void agrees_with_libcrypto(void **state) {
  (void)state;
  test_rng rng = {1};
  for (const tn_cipher *const *c = tn_ciphers; *c != NULL; c++) {
    const size_t step = (*c)->stream ? 1 : (*c)->block_len;
    for (size_t n = 0; n <= 640; n += step)
      for (int in_place = 0; in_place < 2; in_place++) both_directions(&rng, *c, n, in_place);
    for (size_t n = 640; n <= 2048; n += 8 * step) both_directions(&rng, *c, n, below(&rng, 2));
    // Full records of TLS, and a few blocks more or less.
    for (size_t n = 16384 - 64; n <= 16384 + 320; n += 16) both_directions(&rng, *c, n, below(&rng, 2));
    for (size_t i = 0; i < 24; i++) both_directions(&rng, *c, below(&rng, MAX_TEXT / step) * step, below(&rng, 2));
  }
}

// A text in several calls is the text in one, if all but the last are of whole blocks.
static void goes_on_where_it_stopped(void **state) {
  (void)state;
  test_rng rng = {2};
  for (const tn_cipher *const *c = tn_ciphers; *c != NULL; c++) {
    const size_t block = (*c)->block_len;
    for (size_t round = 0; round < 60; round++) {
      message m = make_message(&rng, *c, block * below(&rng, 80));
      tn_cipher_key key;
      tn_cipher_set_key(&key, *c, m.raw_key);
      for (int decrypting = 0; decrypting < 2; decrypting++) {
        const uint8_t *from = decrypting ? m.sealed : m.text, *wanted = decrypting ? m.text : m.sealed;
        uint8_t iv[TN_CIPHER_MAX_BLOCK], *made = malloc(m.n);
        memcpy(iv, m.iv, sizeof iv);
        for (size_t done = 0; done < m.n;) {
          size_t piece = block * (1 + below(&rng, (m.n - done) / block));
          const tn_span in = tn_span_of(from + done, piece);
          const tn_mspan out = {made + done, piece};
          assert_ok(directions[decrypting](&key, iv, &in, 1, &out, 1));
          done += piece;
        }
        assert_memory_equal(made, wanted, m.n);
        free(made);
      }
      tn_cipher_wipe_key(&key);
      free_message(&m);
    }
  }
}

// What a partial last block leaves of its key stream is not used.
static void a_counter_moves_on_past_a_partial_block(void **state) {
  (void)state;
  static const tn_cipher *const rows[] = {&tn_aes_128_ctr, &tn_aes_256_ctr};
  test_rng rng = {3};
  for (size_t i = 0; i < COUNT(rows); i++) {
    message m = make_message(&rng, rows[i], 64);
    uint8_t iv[16], made[64];
    tn_cipher_key key;
    tn_cipher_set_key(&key, rows[i], m.raw_key);
    memcpy(iv, m.iv, sizeof iv);
    const tn_span in[] = {{m.text, 19}, {m.text + 32, 32}};
    const tn_mspan out[] = {{made, 19}, {made + 32, 32}};
    for (size_t j = 0; j < 2; j++) assert_ok(tn_cipher_encrypt(&key, iv, &in[j], 1, &out[j], 1));
    assert_memory_equal(made, m.sealed, 19);
    assert_memory_equal(made + 32, m.sealed + 32, 32);
    tn_cipher_wipe_key(&key);
    free_message(&m);
  }
}

// ---------------------------------------------------------------- implementations

// Those that this process does not choose, too, so far as the level allows them.
static void every_implementation_agrees(void **state) {
  (void)state;
  test_rng rng = {4};
  for (const tn_cipher *const *c = tn_ciphers; *c != NULL; c++) {
    const size_t block = (*c)->block_len;
    for (size_t blocks = 0; blocks <= 80; blocks++) {
      message m = make_message(&rng, *c, blocks * block);
      for (const tn_cipher_impl *const *impl = (*c)->impls; *impl != NULL; impl++) {
        if (!tn_cpu_has((*impl)->cpu)) continue;
        _Alignas(16) uint8_t key[TN_CIPHER_KEY_STATE];
        wipe_vectors();
        (*impl)->set_key(key, m.raw_key);
        assert_upper_vectors_wiped();
        for (int mode = 0; mode < 4; mode++) {
          const bool decrypting = mode & 1, in_place = mode & 2;
          const uint8_t *from = decrypting ? m.sealed : m.text, *wanted = decrypting ? m.text : m.sealed;
          uint8_t iv[TN_CIPHER_MAX_BLOCK], next_iv[TN_CIPHER_MAX_BLOCK];
          guarded g = make_guarded(m.n, below(&rng, 16));
          if (in_place && m.n != 0) memcpy(g.p, from, m.n);
          memcpy(iv, m.iv, sizeof iv);
          wipe_vectors();
          (decrypting ? (*impl)->decrypt : (*impl)->encrypt)(key, iv, in_place ? g.p : from, g.p, m.n);
          assert_upper_vectors_wiped();
          if (memcmp(g.p, wanted, m.n) != 0) fail_msg("%s %s: %zu blocks", (*c)->name, (*impl)->path, blocks);
          iv_after(&m, m.n, next_iv);
          assert_memory_equal(iv, next_iv, block);
          check_and_free_guarded(&g);
        }
      }
      free_message(&m);
    }
  }
}

// The first one that the processor can run is chosen, and the last one runs anywhere.
static void the_best_implementation_is_chosen(void **state) {
  (void)state;
  const uint8_t raw[TN_CIPHER_MAX_KEY] = {0};
  for (const tn_cipher *const *c = tn_ciphers; *c != NULL; c++) {
    tn_cipher_key key;
    tn_cipher_set_key(&key, *c, raw);
    const tn_cipher_impl *const *impl = (*c)->impls;
    while (!tn_cpu_has((*impl)->cpu)) impl++;
    assert_ptr_equal(key.cipher, *c);
    assert_ptr_equal(key.impl, *impl);
    while (impl[1] != NULL) impl++;
    assert_string_equal((*impl)->path, "portable");
    assert_int_equal((*impl)->cpu, 0);
    tn_cipher_wipe_key(&key);
    const tn_cipher_key wiped = {0};
    assert_memory_equal(&key, &wiped, sizeof key);
  }
}

#if defined(__x86_64__)
#define SUPPORTS(feature) (__builtin_cpu_supports(feature) != 0)
#else
#define SUPPORTS(feature) false
#endif

// What the level in the environment allows on this processor, by another way of asking it.
static const char *expected_path(void) {
  const char *level = getenv("TENON_CPU");
  if (level == NULL) level = "avx512";
  if (strcmp(level, "portable") == 0 || !SUPPORTS("aes") || !SUPPORTS("sse4.1")) return "portable";
  if (strcmp(level, "sse") == 0 || !SUPPORTS("avx2") || !(tn_cpu_features() & TN_CPU_VAES)) return "aesni";
  return strcmp(level, "avx2") != 0 && SUPPORTS("avx512bw") ? "vaes512" : "vaes256";
}

static void the_modes_of_aes_obey_the_level(void **state) {
  (void)state;
  static const tn_cipher *const rows[] = {&tn_aes_128_cbc, &tn_aes_256_cbc, &tn_aes_128_ctr, &tn_aes_256_ctr};
  const uint8_t raw[TN_CIPHER_MAX_KEY] = {0};
  for (size_t i = 0; i < COUNT(rows); i++) {
    tn_cipher_key key;
    tn_cipher_set_key(&key, rows[i], raw);
    assert_string_equal(key.impl->path, expected_path());
    tn_cipher_wipe_key(&key);
  }
}

// ---------------------------------------------------------------- what must fail

// Refused before a byte is read or written, so the spans need not exist.
static void wrong_lengths_are_refused(void **state) {
  (void)state;
  static const struct {
    size_t in[2], out[2];
    bool stream_too;  // wrong where any length goes, too
  } cases[] = {
      {{16, 0}, {0, 0}, true},
      {{0, 0}, {0, 16}, true},
      {{16, 16}, {16, 15}, true},
      {{SIZE_MAX, 17}, {16, 0}, true},       // the sum wraps to the same
      {{SIZE_MAX, 1}, {SIZE_MAX, 1}, true},  // and to zero
      {{0, 0}, {SIZE_MAX, 1}, true},
      {{1, 0}, {0, 1}, false},
      {{16, 7}, {23, 0}, false},
      {{8, 7}, {8, 7}, false},
      {{33, 0}, {32, 1}, false},
  };
  const uint8_t raw[TN_CIPHER_MAX_KEY] = {0};
  uint8_t memory[64], iv[TN_CIPHER_MAX_BLOCK];
  memset(memory, GUARD_BYTE, sizeof memory);
  memset(iv, GUARD_BYTE, sizeof iv);
  for (const tn_cipher *const *c = tn_ciphers; *c != NULL; c++) {
    tn_cipher_key key;
    tn_cipher_set_key(&key, *c, raw);
    for (size_t i = 0; i < COUNT(cases); i++) {
      if ((*c)->stream && !cases[i].stream_too) continue;
      const tn_span in[] = {{memory, cases[i].in[0]}, {memory, cases[i].in[1]}};
      const tn_mspan out[] = {{memory, cases[i].out[0]}, {memory, cases[i].out[1]}};
      for (size_t d = 0; d < 2; d++) assert_fails(directions[d](&key, iv, in, 2, out, 2), BAD_ARGUMENT);
    }
    tn_cipher_wipe_key(&key);
  }
  for (size_t i = 0; i < sizeof memory; i++) assert_int_equal(memory[i], GUARD_BYTE);
  for (size_t i = 0; i < sizeof iv; i++) assert_int_equal(iv[i], GUARD_BYTE);
}

// No spans at all, and spans of nothing, are the empty text, which leaves the IV alone.
static void nothing_can_be_encrypted(void **state) {
  (void)state;
  const tn_span in[2] = {{NULL, 0}, {NULL, 0}};
  const tn_mspan out[2] = {{NULL, 0}, {NULL, 0}};
  const uint8_t raw[TN_CIPHER_MAX_KEY] = {1};
  for (const tn_cipher *const *c = tn_ciphers; *c != NULL; c++) {
    uint8_t iv[TN_CIPHER_MAX_BLOCK], same[TN_CIPHER_MAX_BLOCK];
    memset(iv, GUARD_BYTE, sizeof iv);
    memset(same, GUARD_BYTE, sizeof same);
    tn_cipher_key key;
    tn_cipher_set_key(&key, *c, raw);
    for (size_t n = 0; n <= 2; n++)
      for (size_t d = 0; d < 2; d++)
        assert_ok(directions[d](&key, iv, n == 0 ? NULL : in, n, n == 2 ? NULL : out, 2 - n));
    assert_memory_equal(iv, same, sizeof iv);
    tn_cipher_wipe_key(&key);
  }
}

static void the_table_is_complete(void **state) {
  (void)state;
  static const struct {
    const char *name;
    size_t key_len, block_len;
    bool stream;
  } rows[] = {
      {"aes-128-cbc", 16, 16, false}, {"aes-256-cbc", 32, 16, false}, {"aes-128-ctr", 16, 16, true},
      {"aes-256-ctr", 32, 16, true},  {"3des-cbc", 24, 8, false},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    assert_non_null(tn_ciphers[i]);
    assert_string_equal(tn_ciphers[i]->name, rows[i].name);
    assert_int_equal(tn_ciphers[i]->key_len, rows[i].key_len);
    assert_int_equal(tn_ciphers[i]->block_len, rows[i].block_len);
    assert_int_equal(tn_ciphers[i]->stream, rows[i].stream);
  }
  assert_null(tn_ciphers[COUNT(rows)]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_libcrypto),
      cmocka_unit_test(goes_on_where_it_stopped),
      cmocka_unit_test(a_counter_moves_on_past_a_partial_block),
      cmocka_unit_test(every_implementation_agrees),
      cmocka_unit_test(the_best_implementation_is_chosen),
      cmocka_unit_test(the_modes_of_aes_obey_the_level),
      cmocka_unit_test(wrong_lengths_are_refused),
      cmocka_unit_test(nothing_can_be_encrypted),
      cmocka_unit_test(the_table_is_complete),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
