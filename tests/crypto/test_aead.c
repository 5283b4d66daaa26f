// Every row of tn_aeads: against libcrypto, its implementations against each other, and what a wrong
// tag or a wrong argument does.
#include "crypto/aead/aead.h"

#include <openssl/evp.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/cpu.h"
#include "base/mem.h"
#include "support/spans.h"

#define MAX_TEXT 17000
#define MAX_AAD 300

// ---------------------------------------------------------------- the oracle

static const EVP_CIPHER *oracle_of(const tn_aead *aead) {
  const struct {
    const char *name;
    const EVP_CIPHER *cipher;
  } rows[] = {
      {"aes-128-gcm", EVP_aes_128_gcm()},
      {"aes-256-gcm", EVP_aes_256_gcm()},
      {"chacha20-poly1305", EVP_chacha20_poly1305()},
      {"aes-128-ccm", EVP_aes_128_ccm()},
      {"aes-256-ccm", EVP_aes_256_ccm()},
      {"aes-128-ccm-8", EVP_aes_128_ccm()},
      {"aes-256-ccm-8", EVP_aes_256_ccm()},
  };
  for (size_t i = 0; i < COUNT(rows); i++)
    if (strcmp(rows[i].name, aead->name) == 0) return rows[i].cipher;
  fail_msg("no oracle for %s", aead->name);
  return NULL;
}

// ---------------------------------------------------------------- messages

// A random message and what libcrypto makes of it.
typedef struct message {
  const tn_aead *aead;
  tn_aead_key key;
  uint8_t nonce[TN_AEAD_NONCE_LEN];
  uint8_t *text, *sealed;  // exactly n bytes, so that a sanitizer sees an overrun
  size_t n;
  uint8_t aad_bytes[MAX_AAD];
  tn_span aad;
  uint8_t tag[TN_AEAD_MAX_TAG];
  uint8_t raw_key[TN_AEAD_MAX_KEY];
} message;

static size_t below(test_rng *rng, size_t bound) { return (size_t)(test_rng_next(rng) % bound); }

// What is found there later was left by what was called in between: the C library's copies leave things too.
static void wipe_upper_vectors(void) {
  if (tn_cpu_has(TN_CPU_AVX512))
    tn_wipe_vectors_avx512();
  else if (tn_cpu_has(TN_CPU_AVX2))
    tn_wipe_vectors_avx();
}

static message make_message(test_rng *rng, const tn_aead *aead, size_t n, size_t aad_len) {
  message m = {.aead = aead, .n = n, .text = malloc(n), .sealed = malloc(n)};
  test_rng_bytes(rng, m.raw_key, sizeof m.raw_key);
  test_rng_bytes(rng, m.nonce, sizeof m.nonce);
  test_rng_bytes(rng, m.text, n);
  test_rng_bytes(rng, m.aad_bytes, aad_len);
  wipe_upper_vectors();
  tn_aead_set_key(&m.key, aead, m.raw_key);
  assert_upper_vectors_wiped();
  EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
  int len = 0;
  assert_int_equal(EVP_EncryptInit_ex(ctx, oracle_of(aead), NULL, NULL, NULL), 1);
  assert_int_equal(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, TN_AEAD_NONCE_LEN, NULL), 1);
  // CCM wants to know both lengths first.
  const bool ccm = EVP_CIPHER_CTX_mode(ctx) == EVP_CIPH_CCM_MODE;
  if (ccm) assert_int_equal(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, aead->tag_len, NULL), 1);
  assert_int_equal(EVP_EncryptInit_ex(ctx, NULL, NULL, m.raw_key, m.nonce), 1);
  if (ccm) assert_int_equal(EVP_EncryptUpdate(ctx, NULL, &len, NULL, (int)n), 1);
  if (aad_len != 0) assert_int_equal(EVP_EncryptUpdate(ctx, NULL, &len, m.aad_bytes, (int)aad_len), 1);
  if (n != 0 || ccm) assert_int_equal(EVP_EncryptUpdate(ctx, m.sealed, &len, m.text, (int)n), 1);
  assert_int_equal(EVP_EncryptFinal_ex(ctx, NULL, &len), 1);
  assert_int_equal(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, aead->tag_len, m.tag), 1);
  EVP_CIPHER_CTX_free(ctx);
  return m;
}

// The message's own bytes, since the struct may be copied.
static tn_span aad_of(const message *m, size_t aad_len) {
  return aad_len == 0 ? (tn_span){NULL, 0} : tn_span_of(m->aad_bytes, aad_len);
}

static void free_message(message *m) {
  tn_aead_wipe_key(&m->key);
  free(m->text);
  free(m->sealed);
}

// Seals and opens one message through the public interface, disjoint or in place, and compares.
static void round_trip(test_rng *rng, const tn_aead *aead, size_t n, size_t aad_len, bool in_place) {
  message m = make_message(rng, aead, n, aad_len);
  tn_span in[MAX_CUTS];
  tn_mspan out[MAX_CUTS];
  uint8_t tag[TN_AEAD_MAX_TAG];
  for (int opening = 0; opening < 2; opening++) {
    uint8_t *from = opening ? m.sealed : m.text, *wanted = opening ? m.text : m.sealed;
    guarded g = make_guarded(n, 0);
    if (in_place && n != 0) memcpy(g.p, from, n);
    size_t n_in = cut_const(rng, in_place ? g.p : from, n, in), n_out = cut(rng, g.p, n, out);
    // What records are made of: one span; text and a byte of content type.
    const size_t shape = below(rng, 3);
    if (shape != 0) n_out = 1, out[0] = (tn_mspan){g.p, n};
    if (shape == 1) n_in = 1, in[0] = tn_span_of(in_place ? g.p : from, n);
    if (shape == 2 && n != 0 && below(rng, 2)) {
      uint8_t *text = in_place ? g.p : from;
      n_in = 2, in[0] = tn_span_of(text, n - 1), in[1] = tn_span_of(text + n - 1, 1);
    }
    wipe_upper_vectors();
    if (opening) {
      assert_ok(tn_aead_open(&m.key, m.nonce, aad_of(&m, aad_len), in, n_in, m.tag, out, n_out));
      assert_upper_vectors_wiped();
    } else {
      assert_ok(tn_aead_seal(&m.key, m.nonce, aad_of(&m, aad_len), in, n_in, out, n_out, tag));
      assert_upper_vectors_wiped();
      assert_memory_equal(tag, m.tag, aead->tag_len);
    }
    if (memcmp(g.p, wanted, n) != 0) fail_msg("%s: %zu bytes differ from libcrypto's", aead->name, n);
    check_and_free_guarded(&g);
  }
  free_message(&m);
}

static void both_ways(test_rng *rng, const tn_aead *aead, size_t n) {
  round_trip(rng, aead, n, below(rng, MAX_AAD + 1), false);
  round_trip(rng, aead, n, below(rng, 40), true);
}

static void agrees_with_libcrypto(void **state) {
  (void)state;
  test_rng rng = {1};
  for (const tn_aead *const *a = tn_aeads; *a != NULL; a++) {
    for (size_t n = 0; n <= 300; n++) both_ways(&rng, *a, n);
    for (size_t n = 384; n <= 2048; n += 128)
      for (size_t around = n - 1; around <= n + 1; around++) both_ways(&rng, *a, around);
    // Full records of TLS, and what one byte of content type makes of them.
    static const size_t long_ones[] = {4096, 8191, 16383, 16384, 16385, 16384 + 256, MAX_TEXT};
    for (size_t i = 0; i < COUNT(long_ones); i++) both_ways(&rng, *a, long_ones[i]);
    for (size_t i = 0; i < 24; i++) both_ways(&rng, *a, below(&rng, MAX_TEXT));
  }
}

// Every length of associated data, which GHASH and Poly1305 pad.
static void takes_any_associated_data(void **state) {
  (void)state;
  test_rng rng = {2};
  for (const tn_aead *const *a = tn_aeads; *a != NULL; a++)
    for (size_t n = 0; n <= MAX_AAD; n++) round_trip(&rng, *a, below(&rng, 64), n, false);
}

// ---------------------------------------------------------------- implementations

// Runs one implementation over the message in random pieces.
static void run_impl(test_rng *rng, const tn_aead_impl *impl, const message *m, size_t aad_len, bool in_place) {
  _Alignas(16) uint8_t key[TN_AEAD_KEY_STATE];
  uint8_t tag[TN_AEAD_MAX_TAG];
  impl->set_key(key, m->raw_key);
  for (int opening = 0; opening < 2; opening++) {
    const uint8_t *from = opening ? m->sealed : m->text, *wanted = opening ? m->text : m->sealed;
    guarded g = make_guarded(m->n, 0);
    if (in_place && m->n != 0) memcpy(g.p, from, m->n);
    const uint8_t *in = in_place ? g.p : from;
    tn_aead_op op;
    impl->start(key, &op, m->nonce, aad_of(m, aad_len), m->n);
    for (size_t done = 0; done < m->n;) {
      size_t left = m->n - done, piece = below(rng, below(rng, 4) == 0 ? 600 : 40);
      if (piece > left) piece = left;
      (opening ? impl->open : impl->seal)(key, &op, in + done, g.p + done, piece);
      done += piece;
      for (size_t i = 0; i < GUARD && !in_place && i < m->n - done; i++) assert_int_equal(g.p[done + i], GUARD_BYTE);
    }
    impl->tag(key, &op, tag);
    if (memcmp(g.p, wanted, m->n) != 0) fail_msg("%s %s: wrong text of %zu", m->aead->name, impl->path, m->n);
    if (memcmp(tag, m->tag, m->aead->tag_len) != 0)
      fail_msg("%s %s: wrong tag of %zu", m->aead->name, impl->path, m->n);
    check_and_free_guarded(&g);
  }
}

// The implementations that this process does not choose, too, so far as the level allows them.
static void every_implementation_agrees_in_pieces(void **state) {
  (void)state;
  test_rng rng = {3};
  for (const tn_aead *const *a = tn_aeads; *a != NULL; a++) {
    for (size_t round = 0; round < 200; round++) {
      size_t aad_len = below(&rng, 50);
      message m = make_message(&rng, *a, below(&rng, 2000), aad_len);
      for (const tn_aead_impl *const *impl = (*a)->impls; *impl != NULL; impl++)
        if (tn_cpu_has((*impl)->cpu)) run_impl(&rng, *impl, &m, aad_len, round % 2 == 0);
      free_message(&m);
    }
  }
}

// One implementation over a message in one piece, whose first `head` bytes come from elsewhere.
static void run_whole(const tn_aead_impl *impl, const message *m, size_t aad_len, size_t head, bool in_place) {
  _Alignas(16) uint8_t key[TN_AEAD_KEY_STATE];
  uint8_t tag[TN_AEAD_MAX_TAG];
  impl->set_key(key, m->raw_key);
  for (int opening = 0; opening < 2; opening++) {
    const uint8_t *from = opening ? m->sealed : m->text, *wanted = opening ? m->text : m->sealed;
    uint8_t *elsewhere = malloc(head);
    guarded g = make_guarded(m->n, 0);
    if (m->n != 0) memcpy(g.p, from, m->n);
    if (head != 0) memcpy(elsewhere, from, head);
    if (head != 0 && !in_place) memset(g.p, 0, head);
    const tn_aead_text text = {in_place ? g.p : elsewhere, head, g.p, m->n};
    wipe_upper_vectors();
    (opening ? impl->open_whole : impl->seal_whole)(key, m->nonce, aad_of(m, aad_len), &text, tag);
    assert_upper_vectors_wiped();
    if (memcmp(g.p, wanted, m->n) != 0) fail_msg("%s %s: wrong text of %zu", m->aead->name, impl->path, m->n);
    if (memcmp(tag, m->tag, sizeof tag) != 0) fail_msg("%s %s: wrong tag of %zu", m->aead->name, impl->path, m->n);
    check_and_free_guarded(&g);
    free(elsewhere);
  }
}

static void whole_messages_agree(void **state) {
  (void)state;
  test_rng rng = {7};
  for (const tn_aead *const *a = tn_aeads; *a != NULL; a++) {
    for (size_t n = 0; n <= 2100; n += n < 600 ? 1 : 1 + below(&rng, 9)) {
      const size_t aad_len = below(&rng, below(&rng, 8) == 0 ? MAX_AAD + 1 : 20);
      message m = make_message(&rng, *a, n, aad_len);
      const size_t head = TN_AEAD_HEAD * below(&rng, 1 + n / TN_AEAD_HEAD);
      for (const tn_aead_impl *const *impl = (*a)->impls; *impl != NULL; impl++) {
        if (!tn_cpu_has((*impl)->cpu) || (*impl)->seal_whole == NULL) continue;
        run_whole(*impl, &m, aad_len, n, false);
        run_whole(*impl, &m, aad_len, n, true);
        run_whole(*impl, &m, aad_len, head, n % 2);
      }
      free_message(&m);
    }
  }
}

// The first one that the processor can run is chosen, and the last one runs anywhere.
static void the_best_implementation_is_chosen(void **state) {
  (void)state;
  const uint8_t raw[TN_AEAD_MAX_KEY] = {0};
  for (const tn_aead *const *a = tn_aeads; *a != NULL; a++) {
    tn_aead_key key;
    tn_aead_set_key(&key, *a, raw);
    const tn_aead_impl *const *impl = (*a)->impls;
    while (!tn_cpu_has((*impl)->cpu)) impl++;
    assert_ptr_equal(key.aead, *a);
    assert_ptr_equal(key.impl, *impl);
    while (impl[1] != NULL) impl++;
    assert_string_equal((*impl)->path, "portable");
    assert_int_equal((*impl)->cpu, 0);
    tn_aead_wipe_key(&key);
    const tn_aead_key wiped = {0};
    assert_memory_equal(&key, &wiped, sizeof key);
  }
}

#if defined(__x86_64__)
static bool has_aes(void) {
  return __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
}
static bool has_vaes(void) {
  unsigned a, b, c, d;
  if (!has_aes() || !__builtin_cpu_supports("avx2") || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  return (c & bit_VAES) && (c & bit_VPCLMULQDQ);
}
static bool has_avx512(void) {
  return has_vaes() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#else
static bool has_aes(void) { return false; }
static bool has_vaes(void) { return false; }
static bool has_avx512(void) { return false; }
#endif

// The level in the environment decides, as its documentation says, so far as the processor follows.
static void aes_gcm_obeys_the_level(void **state) {
  (void)state;
  static const tn_aead *const rows[] = {&tn_aes_128_gcm, &tn_aes_256_gcm};
  static const char *const levels[] = {"portable", "sse", "avx2", "avx512"};
  const char *paths[] = {"portable", "portable", "portable", "portable"};
  const char *wanted = getenv("TENON_CPU");
  size_t level = COUNT(levels) - 1;
  for (size_t i = 0; wanted != NULL && i < COUNT(levels); i++)
    if (strcmp(wanted, levels[i]) == 0) level = i;
  for (size_t i = 1; i < COUNT(paths); i++)
    if (has_aes()) paths[i] = "aesni";
  for (size_t i = 2; i < COUNT(paths); i++)
    if (has_vaes()) paths[i] = "vaes256";
  if (has_avx512()) paths[3] = "vaes512";
  const uint8_t raw[TN_AEAD_MAX_KEY] = {0};
  for (size_t i = 0; i < COUNT(rows); i++) {
    tn_aead_key key;
    tn_aead_set_key(&key, rows[i], raw);
    assert_string_equal(key.impl->path, paths[level]);
    tn_aead_wipe_key(&key);
  }
}

// ---------------------------------------------------------------- what must fail

// Opens what was tampered with, into one span or two; wants the right reason and zeros in both.
static void opens_to_zeros_in(const message *m, tn_span aad, const char *what, size_t first, size_t n_out) {
  guarded g = make_guarded(m->n, 0);
  const tn_span in = tn_span_of(m->sealed, m->n);
  const tn_mspan out[] = {{g.p, first}, {g.p + first, m->n - first}};
  tn_result r = tn_aead_open(&m->key, m->nonce, aad, &in, 1, m->tag, out, n_out);
  if (r.reason != TN_E_BAD_RECORD_MAC) fail_msg("%s, %s: %s", m->aead->name, what, tn_reason_name(r.reason));
  assert_int_equal(r.alert, TN_ALERT_BAD_RECORD_MAC);
  for (size_t i = 0; i < m->n; i++) assert_int_equal(g.p[i], 0);
  check_and_free_guarded(&g);
}

static void opens_to_zeros(const message *m, tn_span aad, const char *what) {
  opens_to_zeros_in(m, aad, what, m->n, 1);
  opens_to_zeros_in(m, aad, what, m->n / 2, 2);
}

static void flips(uint8_t *p, size_t bit, const message *m, tn_span aad, const char *what) {
  p[bit / 8] ^= (uint8_t)(1 << bit % 8);
  opens_to_zeros(m, aad, what);
  p[bit / 8] ^= (uint8_t)(1 << bit % 8);
}

static void whatever_is_tampered_with_is_refused(void **state) {
  (void)state;
  static const size_t lengths[] = {0, 1, 15, 16, 17, 112, 113, 128, 240, 241, 256, 257, 1000};
  test_rng rng = {4};
  for (const tn_aead *const *a = tn_aeads; *a != NULL; a++) {
    for (size_t i = 0; i < COUNT(lengths); i++) {
      size_t n = lengths[i], aad_len = 1 + below(&rng, 40);
      message m = make_message(&rng, *a, n, aad_len);
      tn_span aad = aad_of(&m, aad_len);
      for (size_t bit = 0; bit < 8u * m.aead->tag_len; bit++) flips(m.tag, bit, &m, aad, "tag");
      for (size_t bit = 0; bit < 8 * n; bit += 1 + below(&rng, 50)) flips(m.sealed, bit, &m, aad, "ciphertext");
      if (n != 0) flips(m.sealed, 8 * n - 1, &m, aad, "the last bit");
      for (size_t bit = 0; bit < 8 * aad_len; bit++) flips(m.aad_bytes, bit, &m, aad, "associated data");
      for (size_t bit = 0; bit < 8 * TN_AEAD_NONCE_LEN; bit++) flips(m.nonce, bit, &m, aad, "nonce");
      opens_to_zeros(&m, tn_span_of(m.aad_bytes, aad_len - 1), "shorter associated data");
      if (n != 0) {
        m.n--;
        opens_to_zeros(&m, aad, "shorter ciphertext");
      }
      free_message(&m);
    }
  }
}

// In place, too, nothing of the text remains.
static void a_wrong_tag_wipes_in_place(void **state) {
  (void)state;
  test_rng rng = {5};
  for (const tn_aead *const *a = tn_aeads; *a != NULL; a++) {
    message m = make_message(&rng, *a, 500, 5);
    const tn_span in = tn_span_of(m.sealed, m.n);
    const tn_mspan out = {m.sealed, m.n};
    m.tag[0] ^= 0x80;
    assert_fails(tn_aead_open(&m.key, m.nonce, aad_of(&m, 5), &in, 1, m.tag, &out, 1), BAD_RECORD_MAC);
    for (size_t i = 0; i < m.n; i++) assert_int_equal(m.sealed[i], 0);
    free_message(&m);
  }
}

// Refused before a byte is read or written, so the spans need not exist.
static void wrong_lengths_are_refused(void **state) {
  (void)state;
  const uint8_t raw[TN_AEAD_MAX_KEY] = {0}, nonce[TN_AEAD_NONCE_LEN] = {0};
  uint8_t memory[32], tag[TN_AEAD_MAX_TAG];
  memset(memory, GUARD_BYTE, sizeof memory);
  memset(tag, GUARD_BYTE, sizeof tag);
  for (const tn_aead *const *a = tn_aeads; *a != NULL; a++) {
    const uint64_t limit = (*a)->text_limit;
    const struct {
      size_t in[2], out[2];
    } cases[] = {
        {{1, 0}, {0, 0}},
        {{0, 0}, {0, 1}},
        {{8, 8}, {8, 7}},
        {{limit + 1, 0}, {limit + 1, 0}},
        {{limit, 1}, {1, limit}},
        {{SIZE_MAX, 17}, {16, 0}},       // the sum wraps to the same
        {{SIZE_MAX, 1}, {SIZE_MAX, 1}},  // and to zero
        {{0, 0}, {SIZE_MAX, 1}},
        {{limit, 0}, {limit - 1, 0}},
    };
    tn_aead_key key;
    tn_aead_set_key(&key, *a, raw);
    for (size_t i = 0; i < COUNT(cases); i++) {
      const tn_span in[] = {{memory, cases[i].in[0]}, {memory, cases[i].in[1]}};
      const tn_mspan out[] = {{memory, cases[i].out[0]}, {memory, cases[i].out[1]}};
      assert_fails(tn_aead_seal(&key, nonce, tn_span_of(NULL, 0), in, 2, out, 2, tag), BAD_ARGUMENT);
      assert_fails(tn_aead_open(&key, nonce, tn_span_of(NULL, 0), in, 2, tag, out, 2), BAD_ARGUMENT);
    }
    tn_aead_wipe_key(&key);
  }
  for (size_t i = 0; i < sizeof memory; i++) assert_int_equal(memory[i], GUARD_BYTE);
  for (size_t i = 0; i < sizeof tag; i++) assert_int_equal(tag[i], GUARD_BYTE);
}

// No spans at all, and spans of nothing, are the empty message.
static void nothing_can_be_sealed(void **state) {
  (void)state;
  test_rng rng = {6};
  for (const tn_aead *const *a = tn_aeads; *a != NULL; a++) {
    message m = make_message(&rng, *a, 0, 0);
    const tn_span aad = {NULL, 0}, in[2] = {{NULL, 0}, {NULL, 0}};
    const tn_mspan out[2] = {{NULL, 0}, {NULL, 0}};
    uint8_t tag[TN_AEAD_MAX_TAG];
    for (size_t n_in = 0; n_in <= 2; n_in++) {
      for (size_t n_out = 0; n_out <= 2; n_out++) {
        memset(tag, 0, sizeof tag);
        const tn_span *from = n_in == 0 ? NULL : in;
        const tn_mspan *to = n_out == 0 ? NULL : out;
        assert_ok(tn_aead_seal(&m.key, m.nonce, aad, from, n_in, to, n_out, tag));
        assert_memory_equal(tag, m.tag, (*a)->tag_len);
        assert_ok(tn_aead_open(&m.key, m.nonce, aad, from, n_in, tag, to, n_out));
      }
    }
    free_message(&m);
  }
}

static void the_table_is_complete(void **state) {
  (void)state;
  static const struct {
    const char *name;
    size_t key_len;
    size_t tag_len;
    uint64_t text_limit;
    bool limited;  // RFC 9846 section 5.5
  } rows[] = {
      {"aes-128-gcm", 16, 16, 0xfffffffe0, true},
      {"aes-256-gcm", 32, 16, 0xfffffffe0, true},
      {"chacha20-poly1305", 32, 16, 0x3fffffffc0, false},
      {"aes-128-ccm", 16, 16, 0xffffff, true},
      {"aes-256-ccm", 32, 16, 0xffffff, true},
      {"aes-128-ccm-8", 16, 8, 0xffffff, true},
      {"aes-256-ccm-8", 32, 8, 0xffffff, true},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    assert_non_null(tn_aeads[i]);
    assert_string_equal(tn_aeads[i]->name, rows[i].name);
    assert_int_equal(tn_aeads[i]->key_len, rows[i].key_len);
    assert_int_equal(tn_aeads[i]->tag_len, rows[i].tag_len);
    assert_int_equal(tn_aeads[i]->text_limit, rows[i].text_limit);
    if (rows[i].limited) assert_in_range(tn_aeads[i]->record_limit, 1, 23726566);  // 2^24.5
  }
  assert_null(tn_aeads[COUNT(rows)]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_libcrypto),
      cmocka_unit_test(takes_any_associated_data),
      cmocka_unit_test(every_implementation_agrees_in_pieces),
      cmocka_unit_test(whole_messages_agree),
      cmocka_unit_test(the_best_implementation_is_chosen),
      cmocka_unit_test(aes_gcm_obeys_the_level),
      cmocka_unit_test(whatever_is_tampered_with_is_refused),
      cmocka_unit_test(a_wrong_tag_wipes_in_place),
      cmocka_unit_test(wrong_lengths_are_refused),
      cmocka_unit_test(nothing_can_be_sealed),
      cmocka_unit_test(the_table_is_complete),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
