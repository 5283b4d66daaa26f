// Asks the checker that is watching which bytes it takes for secret.
#ifndef TN_TESTS_SECRET_H
#define TN_TESTS_SECRET_H

#include "base/ct.h"

// Around calls of libraries that were not built for MemorySanitizer; mark their results public.
#if defined(TN_CT_MSAN)
#define UNWATCHED_BEGIN() __msan_scoped_disable_interceptor_checks()
#define UNWATCHED_END() __msan_scoped_enable_interceptor_checks()
#else
#define UNWATCHED_BEGIN() ((void)0)
#define UNWATCHED_END() ((void)0)
#endif

static inline size_t secret_bytes(const void *p, size_t n) {
  size_t secret = 0;
  for (size_t i = 0; i < n; i++) {
#if defined(TN_CT_MSAN)
    secret += __msan_test_shadow((const uint8_t *)p + i, 1) >= 0;
#elif defined(TN_CT_CHECK)
    uint8_t undefined = 0;
    VALGRIND_GET_VBITS((const uint8_t *)p + i, &undefined, 1);
    secret += undefined != 0;
#endif
  }
  return secret;
}

#endif
