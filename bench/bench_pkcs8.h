// Private keys that every library can read.
#ifndef TN_BENCH_PKCS8_H
#define TN_BENCH_PKCS8_H

#include "crypto/sign.h"

// A key that OpenSSL made, as PKCS#8 DER, the same one each time; `bits` for RSA. Dies if it cannot be made.
tn_span bench_pkcs8(tn_key_type type, size_t bits);

#endif
