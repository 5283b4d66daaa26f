// What Mbed TLS's ways share.
#ifndef TN_BENCH_MBEDTLS_MD_H
#define TN_BENCH_MBEDTLS_MD_H

#include <mbedtls/md.h>

// A context for the hash of this name of ours, malloc()ed; NULL: there is no such hash.
mbedtls_md_context_t *bench_mbedtls_md(const char *name, int hmac);

#endif
