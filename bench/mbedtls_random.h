// Mbed TLS's own generator, seeded from the system, in the shape that its functions ask for.
#ifndef TN_BENCH_MBEDTLS_RANDOM_H
#define TN_BENCH_MBEDTLS_RANDOM_H

#include <stddef.h>

int bench_mbedtls_random(void *unused, unsigned char *out, size_t n);

#endif
