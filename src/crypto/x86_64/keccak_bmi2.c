// Keccak-f[1600] with ANDN and RORX, which leave their operands as they are.
#include "crypto/hash/keccak.h"

#if defined(__x86_64__)

typedef uint64_t lane;
#define TARGET __attribute__((target("bmi,bmi2")))
#include "crypto/hash/keccak_rounds.h"

TARGET void tn_keccak_f_bmi2(uint64_t a[TN_KECCAK_LANES]) { keccak_rounds(a); }

#endif
