// One private key, used by several threads at once.
#include <pthread.h>

#include "crypto/rsa/rsa.h"
#include "support/rsa_key.h"
#include "support/support.h"

enum { THREADS = 4, ROUNDS = 30 };

static tn_rsa_private_max memory;
static tn_rsa_private *const key = &memory.key;

static void *work(void *arg) {
  const uintptr_t number = (uintptr_t)arg;
  uintptr_t good = 0;
  for (size_t i = 0; i < ROUNDS; i++) {
    uint8_t digest[32] = {(uint8_t)number, (uint8_t)i}, sig[256], sealed[256], out[TN_RSA_PREMASTER];
    uint8_t premaster[TN_RSA_PREMASTER] = {3, 3, (uint8_t)number, (uint8_t)i};
    const tn_span d = {digest, sizeof digest};
    size_t n = sizeof sig;
    good += tn_ok(tn_rsa_pss_sign(key, NULL, &tn_sha256, d, sig, &n)) &&
            tn_ok(tn_rsa_pss_verify(&key->public, &tn_sha256, NULL, 32, d, (tn_span){sig, n}));
    good += tn_ok(tn_rsa_pkcs1_encrypt(&key->public, NULL, (tn_span){premaster, sizeof premaster}, sealed)) &&
            tn_ok(tn_rsa_decrypt_premaster(key, NULL, 0x0303, (tn_span){sealed, sizeof sealed}, out)) &&
            memcmp(out, premaster, sizeof out) == 0;
  }
  return (void *)good;
}

static void threads_share_a_key(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  assert_ok(tn_rsa_private_load(key, rsa_key_parts));
  for (uintptr_t i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, work, (void *)i), 0);
  for (size_t i = 0; i < THREADS; i++) {
    void *good = NULL;
    assert_int_equal(pthread_join(threads[i], &good), 0);
    assert_int_equal((uintptr_t)good, 2 * ROUNDS);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_share_a_key)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
