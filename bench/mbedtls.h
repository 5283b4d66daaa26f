// Mbed TLS's ways, where it was there when this was built.
#ifndef TN_BENCH_MBEDTLS_H
#define TN_BENCH_MBEDTLS_H

#include "field_case.h"
#include "kex_case.h"
#include "sign_case.h"
#include "way.h"

extern const bench_way mbedtls_aead, mbedtls_cipher, mbedtls_cbc_hmac, mbedtls_hash, mbedtls_hmac, mbedtls_shax,
    mbedtls_prf, mbedtls_drbg;
extern const kex_way mbedtls_kex;
extern const sign_way mbedtls_sign;
extern const bench_way mbedtls_field;

// A list of ways ends with this.
#if defined(BENCH_MBEDTLS)
#define AND_MBEDTLS(way) &way, NULL
#else
#define AND_MBEDTLS(way) NULL
#endif

// The same for what only release 2 lets us call.
#if defined(BENCH_MBEDTLS_2)
#define AND_MBEDTLS_2(way) &way, NULL
#else
#define AND_MBEDTLS_2(way) NULL
#endif

// "Mbed TLS 2.28.3"; NULL: it is missing.
const char *bench_mbedtls_name(void);

#endif
