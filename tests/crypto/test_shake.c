#include <openssl/evp.h>

#include "crypto/hash/shake.h"
#include "support/rsp.h"
#include "support/support.h"

#define MAX_OUT 4096

static const struct {
  const char *name;
  size_t rate;
  void (*init)(tn_shake *s);
  void (*once)(const void *p, size_t n, void *out, size_t out_len);
} shakes[] = {
    {"SHAKE128", 168, tn_shake128_init, tn_shake128},
    {"SHAKE256", 136, tn_shake256_init, tn_shake256},
};
enum { SHAKE128, SHAKE256 };

static void oracle(size_t k, const uint8_t *p, size_t n, uint8_t *out, size_t out_len) {
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  assert_int_equal(EVP_DigestInit_ex(ctx, EVP_get_digestbyname(shakes[k].name), NULL), 1);
  assert_int_equal(EVP_DigestUpdate(ctx, p, n), 1);
  assert_int_equal(EVP_DigestFinalXOF(ctx, out, out_len), 1);
  EVP_MD_CTX_free(ctx);
}

// FIPS 202's own values: NIST, "Examples with Intermediate Values", the first bytes for the empty message.
static void the_examples_of_the_standard(void **state) {
  (void)state;
  static const char *const empty[] = {
      [SHAKE128] = "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26",
      [SHAKE256] =
          "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"
          "d75dc4ddd8c0f200cb05019d67b592f6fc821c49479ab48640292eacb3b7c4be",
  };
  for (size_t k = 0; k < COUNT(shakes); k++) {
    bytes want = bytes_from_hex(empty[k]);
    uint8_t got[64];
    shakes[k].once(NULL, 0, got, want.n);
    assert_memory_equal(got, want.p, want.n);
    bytes_free(&want);
  }
}

static void every_length_in_and_out_agrees_with_libcrypto(void **state) {
  (void)state;
  test_rng rng = {1};
  for (size_t k = 0; k < COUNT(shakes); k++) {
    for (size_t n = 0; n <= 400; n++) {
      // Exactly as long as the message, so that a read past its end is caught.
      uint8_t *message = malloc(n + 1), want[600], got[602];
      const size_t out_len = 1 + test_rng_next(&rng) % 600;
      test_rng_bytes(&rng, message + 1, n);
      oracle(k, message + 1, n, want, out_len);
      memset(got, 0xa5, sizeof got);
      shakes[k].once(message + 1, n, got + 1, out_len);
      assert_memory_equal(got + 1, want, out_len);
      assert_int_equal(got[0], 0xa5);
      assert_int_equal(got[out_len + 1], 0xa5);
      free(message);
    }
  }
}

// Chunks of up to `longest` bytes, 0 among them, sometimes the whole block that a sponge works in.
static size_t chunk(test_rng *rng, size_t rate, size_t longest, size_t left) {
  const uint64_t r = test_rng_next(rng);
  const size_t n = r % 8 == 0 ? rate : (r >> 8) % (longest + 1);
  return n < left ? n : left;
}

static void any_chunks_in_and_out_give_the_same(void **state) {
  (void)state;
  test_rng rng = {2};
  for (size_t k = 0; k < COUNT(shakes); k++) {
    for (int round = 0; round < 300; round++) {
      uint8_t message[3000], want[3000], got[3001];
      const size_t longest = (size_t[]){2, 30, 300, 3000}[round % 4];
      const size_t n = test_rng_next(&rng) % sizeof message, out_len = 1 + test_rng_next(&rng) % sizeof want;
      test_rng_bytes(&rng, message, n);
      oracle(k, message, n, want, out_len);
      tn_shake s;
      shakes[k].init(&s);
      for (size_t at = 0, m; at < n; at += m) {
        m = chunk(&rng, shakes[k].rate, longest, n - at);
        tn_shake_absorb(&s, message + at, m);
      }
      tn_shake_absorb(&s, NULL, 0);
      tn_shake_squeeze(&s, NULL, 0);
      got[out_len] = 0xa5;
      for (size_t at = 0, m; at < out_len; at += m) {
        m = chunk(&rng, shakes[k].rate, longest, out_len - at);
        tn_shake_squeeze(&s, got + at, m);
      }
      tn_shake_wipe(&s);
      assert_memory_equal(got, want, out_len);
      assert_int_equal(got[out_len], 0xa5);
    }
  }
}

static void a_copied_context_goes_its_own_way(void **state) {
  (void)state;
  test_rng rng = {3};
  uint8_t message[400], want[500], got[500];
  test_rng_bytes(&rng, message, sizeof message);
  for (size_t k = 0; k < COUNT(shakes); k++) {
    tn_shake s;
    shakes[k].init(&s);
    for (size_t n = 0; n < sizeof message; n++) {
      tn_shake clone = s;
      tn_shake_squeeze(&clone, got, n);
      tn_shake second = clone;
      tn_shake_squeeze(&clone, got + n, 1);
      oracle(k, message, n, want, n + 1);
      assert_memory_equal(got, want, n + 1);
      tn_shake_squeeze(&second, got + n, 1);
      assert_memory_equal(got, want, n + 1);
      tn_shake_absorb(&s, message + n, 1);
    }
  }
}

static void the_end_wipes_the_context(void **state) {
  (void)state;
  tn_shake s;
  uint8_t out[8];
  tn_shake128_init(&s);
  tn_shake_absorb(&s, "secret", 6);
  tn_shake_squeeze(&s, out, sizeof out);
  tn_shake_wipe(&s);
  const uint8_t *p = (const uint8_t *)&s;
  for (size_t at = 0; at < sizeof s; at++) assert_int_equal(p[at], 0);
}

static void nist_cavp(void **state) {
  (void)state;
  static const struct {
    const char *file;
    size_t shake;
    const char *bits;  // the name of the message's length; the length of `Msg` where it is NULL
  } files[] = {
      {"cavp/sha3/SHAKE128ShortMsg.rsp", SHAKE128, "Len"},
      {"cavp/sha3/SHAKE128VariableOut.rsp", SHAKE128, NULL},
      {"cavp/sha3/SHAKE256VariableOut.rsp", SHAKE256, NULL},
  };
  for (size_t i = 0; i < COUNT(files); i++) {
    rsp *r = rsp_open(files[i].file);
    size_t stanzas = 0;
    for (; rsp_next(r); stanzas++) {
      bytes message = rsp_hex(r, "Msg"), want = rsp_hex(r, "Output");
      uint8_t got[MAX_OUT];
      const size_t n = files[i].bits == NULL ? message.n : rsp_number(r, files[i].bits) / 8;
      assert_true(n <= message.n && want.n <= sizeof got);
      assert_int_equal(want.n, rsp_number(r, "Outputlen") / 8);
      shakes[files[i].shake].once(message.p, n, got, want.n);
      assert_memory_equal(got, want.p, want.n);
      bytes_free(&message);
      bytes_free(&want);
    }
    assert_true(stanzas > 300);
    rsp_close(r);
  }
}

// SHA3VS section 6.3.3: the first 16 bytes of an output are the next message, the last two say how long the next is.
static void monte_carlo(size_t shake, const char *file) {
  rsp *r = rsp_open(file);
  assert_true(rsp_next(r));
  const size_t least = (rsp_number(r, "Minimum Output Length (bits)") + 7) / 8;
  const size_t most = rsp_number(r, "Maximum Output Length (bits)") / 8;
  bytes first = rsp_hex(r, "Msg");
  uint8_t message[16], out[MAX_OUT];
  assert_int_equal(first.n, sizeof message);
  memcpy(message, first.p, sizeof message);
  size_t next = most, stanzas = 0;
  for (; rsp_next(r); stanzas++) {
    size_t n = 0;
    for (int i = 0; i < 1000; i++) {
      n = next;
      assert_true(n >= 2 && n <= sizeof out);
      memset(out, 0, sizeof message);
      shakes[shake].once(message, sizeof message, out, n);
      memcpy(message, out, sizeof message);
      next = least + (size_t)(out[n - 2] << 8 | out[n - 1]) % (most - least + 1);
    }
    bytes want = rsp_hex(r, "Output");
    assert_int_equal(want.n, n);
    assert_memory_equal(out, want.p, n);
    bytes_free(&want);
  }
  assert_int_equal(stanzas, 100);
  bytes_free(&first);
  rsp_close(r);
}

static void nist_monte_carlo(void **state) {
  (void)state;
  monte_carlo(SHAKE128, "cavp/sha3/SHAKE128Monte.rsp");
  monte_carlo(SHAKE256, "cavp/sha3/SHAKE256Monte.rsp");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_examples_of_the_standard),
      cmocka_unit_test(every_length_in_and_out_agrees_with_libcrypto),
      cmocka_unit_test(any_chunks_in_and_out_give_the_same),
      cmocka_unit_test(a_copied_context_goes_its_own_way),
      cmocka_unit_test(the_end_wipes_the_context),
      cmocka_unit_test(nist_cavp),
      cmocka_unit_test(nist_monte_carlo),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
