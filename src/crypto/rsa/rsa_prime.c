// Probable primes, FIPS 186-5 appendices A.1.3 and B.3.1. A candidate that is thrown away may leak, and so may how many
// were; the one that is kept does not. That it is 3 modulo 4, as the standard lets one choose, makes of the
// Miller-Rabin test a single power, with no count of twos in p - 1 that would have to be kept secret.
#include <string.h>

#include "base/mem.h"
#include "crypto/inverse.h"
#include "crypto/rsa/rsa_key.h"

typedef unsigned __int128 wide;

#define HALF (TN_BN_MAX_WORDS / 2)
#define LANES 2  // candidates, or bases, that are tested at once

// ---------------------------------------------------------------- small primes
enum { SIEVE = 8192, MAX_PRIMES = 1100 };

// The odd primes below SIEVE.
static size_t small_primes(uint16_t primes[MAX_PRIMES]) {
  bool composite[SIEVE] = {false};
  size_t count = 0;
  for (size_t i = 3; i < SIEVE; i += 2) {
    if (composite[i]) continue;
    primes[count++] = (uint16_t)i;
    for (size_t j = i * i; j < SIEVE; j += 2 * i) composite[j] = true;
  }
  return count;
}

// A number of at most m that m, or a divisor of it, divides if and only if it divides a: -a / 2^(64 words) mod m.
static uint64_t residue(const uint64_t *a, size_t words, uint64_t m) {
  uint64_t inverse = tn_inverse_mod_word(m), carry = 0;
  for (size_t i = 0; i < words; i++) {
    wide rest = (wide)a[i] - carry;
    carry = (uint64_t)(((wide)((uint64_t)rest * inverse) * m) >> 64) + ((uint64_t)(rest >> 64) & 1);
  }
  return carry;
}

// A mask; m is odd. Multiples of m times 1/m are the numbers up to (2^64 - 1) / m.
static uint64_t divides(uint64_t m, uint64_t a) { return ~tn_ct_lt(UINT64_MAX / m, a * tn_inverse_mod_word(m)); }

// Whether no small prime divides a, nor the public exponent a - 1.
static bool passes_sieve(const uint64_t *a, size_t words, const uint16_t *primes, size_t count) {
  uint64_t less[HALF];
  memcpy(less, a, words * sizeof *a);
  less[0] -= 1;
  bool good = !tn_ct_declassify(divides(TN_RSA_GENERATED_E, residue(less, words, TN_RSA_GENERATED_E)));
  tn_wipe(less, sizeof less);
  for (size_t first = 0, end = 0; good && first < count; first = end) {
    uint64_t product = 1, any = 0;
    while (end < count && product <= UINT64_MAX / primes[end]) product *= primes[end++];
    uint64_t r = residue(a, words, product);
    for (size_t i = first; i < end; i++) any |= divides(primes[i], r);
    good = !tn_ct_declassify(any);
  }
  return good;
}

// ---------------------------------------------------------------- Miller and Rabin
typedef struct candidate {
  tn_bn_mod m;
  uint64_t n[HALF], rr[HALF];
  uint64_t half[HALF];  // (n - 1) / 2
} candidate;

typedef struct search {
  const tn_rng *rng;
  size_t bits, words, draws;
  size_t prime_count;
  uint16_t primes[MAX_PRIMES];
  candidate lane[LANES];
  uint64_t base[LANES][HALF];
  tn_bn_scratch scratch;
} search;

// Whether a = n - 1, for an odd n and any a below n.
static uint64_t is_minus_one(const uint64_t *a, const uint64_t *n, size_t words) {
  return tn_bn_equal(a + 1, n + 1, words - 1) & tn_ct_eq(a[0], n[0] - 1);
}

// A random number of s->bits bits.
static tn_result draw(search *s, uint64_t *a) {
  uint8_t bytes[TN_RSA_MAX_BYTES / 2];
  size_t n = (s->bits + 7) / 8;
  TN_TRY(tn_random(s->rng, bytes, n));
  if (s->bits % 8 != 0) bytes[0] &= (uint8_t)(0xff >> (8 - s->bits % 8));
  bool fits = tn_bn_from_bytes(a, s->words, (tn_span){bytes, n});
  tn_wipe(bytes, sizeof bytes);
  TN_ENSURE(fits, TN_E_SELF_CHECK);
  return tn_success();
}

static tn_result draw_candidate(search *s, candidate *c) {
  do {
    TN_ENSURE(s->draws-- != 0, TN_E_NO_RANDOM);  // the generator does not give random bytes
    TN_TRY(draw(s, c->n));
    // The product of two such primes has all its bits.
    c->n[(s->bits - 1) / 64] |= (uint64_t)1 << ((s->bits - 1) % 64);
    c->n[(s->bits - 2) / 64] |= (uint64_t)1 << ((s->bits - 2) % 64);
    c->n[0] |= 3;
  } while (!passes_sieve(c->n, s->words, s->primes, s->prime_count));
  for (size_t i = 0; i < s->words; i++) c->half[i] = c->n[i] >> 1 | (i + 1 < s->words ? c->n[i + 1] << 63 : 0);
  return tn_bn_mod_init(&c->m, c->n, c->rr, s->words);
}

// A random base, 2 to n - 2.
static tn_result draw_base(search *s, uint64_t *base, const candidate *c) {
  uint64_t good;
  do {
    TN_ENSURE(s->draws-- != 0, TN_E_NO_RANDOM);
    TN_TRY(draw(s, base));
    good = tn_bn_less(base, c->n, s->words) & ~tn_bn_equal_word(base, 0, s->words) &
           ~tn_bn_equal_word(base, 1, s->words) & ~is_minus_one(base, c->n, s->words);
  } while (!tn_ct_declassify(good));
  return tn_success();
}

// One round for each of two candidates, which may be the same one.
static tn_result round_of(search *s, const candidate *const c[LANES], bool passed[LANES]) {
  tn_bn_power powers[LANES];
  for (size_t i = 0; i < LANES; i++) {
    TN_TRY(draw_base(s, s->base[i], c[i]));
    powers[i] = (tn_bn_power){s->base[i], s->base[i], c[i]->half, &c[i]->m};
  }
  tn_bn_mod_exp(powers, LANES, s->bits - 1, &s->scratch);
  for (size_t i = 0; i < LANES; i++) {
    uint64_t one = tn_bn_equal_word(s->base[i], 1, s->words);
    passed[i] = tn_ct_declassify(one | is_minus_one(s->base[i], c[i]->n, s->words));
  }
  return tn_success();
}

// With the round before, 7 for primes of 1024 bits and 5 for those of 1536 bits and more: by the bounds of Damgard,
// Landrock and Pomerance, one in 2^128 is composite at most, where table B.1 allows one in 2^112 and less.
static tn_result passes_more_rounds(search *s, const candidate *c, bool *passed) {
  const candidate *const both[LANES] = {c, c};
  *passed = true;
  for (size_t pairs = s->bits < 1536 ? 3 : 2; *passed && pairs != 0; pairs--) {
    bool each[LANES];
    TN_TRY(round_of(s, both, each));
    *passed = each[0] && each[1];
  }
  return tn_success();
}

static tn_result find(search *s, uint64_t *p) {
  const candidate *const lanes[LANES] = {&s->lane[0], &s->lane[1]};
  for (;;) {
    bool passed[LANES];
    for (size_t i = 0; i < LANES; i++) TN_TRY(draw_candidate(s, &s->lane[i]));
    TN_TRY(round_of(s, lanes, passed));
    for (size_t i = 0; i < LANES; i++) {
      if (passed[i]) TN_TRY(passes_more_rounds(s, lanes[i], &passed[i]));
      if (!passed[i]) continue;
      memcpy(p, lanes[i]->n, s->words * sizeof *p);
      return tn_success();
    }
  }
}

tn_result tn_rsa_find_prime(uint64_t *p, size_t words, size_t bits, const tn_rng *rng) {
  search s;
  s.rng = rng;
  s.bits = bits;
  s.words = words;
  s.draws = 10 * bits;
  s.prime_count = small_primes(s.primes);
  tn_result result = find(&s, p);
  tn_bn_path_here()->wipe();
  tn_wipe(&s, sizeof s);
  tn_wipe_stack();
  return result;
}
