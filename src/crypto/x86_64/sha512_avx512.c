// SHA-512's compression function with AVX-512's rotations and BMI2.
#include "crypto/hash/sha512.h"

#include "crypto/hash/compress.h"
#include "crypto/hash/sha2.h"

#if defined(__x86_64__)

#define COMPRESS tn_sha512_compress_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi2")))
#define WIPE_VECTORS tn_wipe_vectors_avx512
#include "crypto/x86_64/sha512_schedule.h"
#include "crypto/x86_64/sha_two_blocks.h"
// These two build on the ones before.
#include "crypto/x86_64/sha2_two_blocks.h"

#endif
