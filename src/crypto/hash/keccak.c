#include "crypto/hash/keccak.h"

#include "base/bytes.h"
#include "base/cpu.h"

typedef uint64_t lane;
#define TARGET
#include "crypto/hash/keccak_rounds.h"

static void portable(uint64_t a[TN_KECCAK_LANES]) { keccak_rounds(a); }

// Best first.
static const struct implementation {
  const char *path;
  uint32_t cpu;
  void (*f)(uint64_t a[TN_KECCAK_LANES]);
} implementations[] = {
#if defined(__x86_64__)
    {"bmi2", TN_CPU_BMI2, tn_keccak_f_bmi2},
#endif
    {"portable", 0, portable},
};

static const struct implementation *best(void) {
  const struct implementation *i = implementations;
  while (!tn_cpu_has(i->cpu)) i++;
  return i;
}

void tn_keccak_f(uint64_t a[TN_KECCAK_LANES]) { best()->f(a); }
const char *tn_keccak_path(void) { return best()->path; }

static inline uint64_t placed(uint8_t byte, size_t at) { return (uint64_t)byte << 8 * (at % 8); }

void tn_keccak_xor(uint64_t a[TN_KECCAK_LANES], size_t at, const uint8_t *p, size_t n) {
  for (; n != 0 && at % 8 != 0; n--, at++) a[at / 8] ^= placed(*p++, at);
  for (; n >= 8; n -= 8, at += 8, p += 8) a[at / 8] ^= tn_load_le64(p);
  for (; n != 0; n--, at++) a[at / 8] ^= placed(*p++, at);
}

void tn_keccak_copy(const uint64_t a[TN_KECCAK_LANES], size_t at, uint8_t *out, size_t n) {
  for (; n != 0 && at % 8 != 0; n--, at++) *out++ = (uint8_t)(a[at / 8] >> 8 * (at % 8));
  for (; n >= 8; n -= 8, at += 8, out += 8) tn_store_le64(out, a[at / 8]);
  for (; n != 0; n--, at++) *out++ = (uint8_t)(a[at / 8] >> 8 * (at % 8));
}

void tn_keccak_blocks(uint64_t a[TN_KECCAK_LANES], size_t rate, const uint8_t *p, size_t n_blocks) {
  for (; n_blocks != 0; n_blocks--, p += rate) {
    for (size_t i = 0; i < rate / 8; i++) a[i] ^= tn_load_le64(p + 8 * i);
    tn_keccak_f(a);
  }
}

// pad10*1 of section 5.1; its first bit comes with the domain's.
void tn_keccak_pad(uint64_t a[TN_KECCAK_LANES], size_t at, size_t rate, uint8_t domain) {
  a[at / 8] ^= placed(domain, at);
  a[rate / 8 - 1] ^= placed(0x80, rate - 1);
}
