// A client's rule for a group of the server's choice. Everything here is public.
//
// What it protects from: groups within reach of a computation of discrete logarithms ("Imperfect Forward Secrecy: How
// Diffie-Hellman Fails in Practice", 2015), by the least size; a modulus that is no prime, by mistake or by somebody's
// hand, whose factors make logarithms easy; a peer that makes us work without bound, by the greatest size. RFC 7919
// section 3 has a client go by a list of known groups; we know that list and RFC 3526's by value, and take others too,
// because many servers of TLS 1.2 have one that their administrator made. Whether the order of g has a large prime
// factor cannot be told without the factors of p - 1; a server that signs a bad g gives away its own connections alone.
//
// What it costs: for a known p, comparisons. For another one, if no small prime divides it, as much as the exchange
// that follows: two exponentiations as long as p, rounds of Miller and Rabin's test with random bases. They refuse
// practically every composite number, and one that somebody made to pass in fifteen of sixteen connections, so that a
// server that has it is found out at once; more rounds would only cost all who have a prime. Test and exchange take
// 5 ms each for 2048 bits, 40 ms for 4096, 0.3 s for 8192 (Zen 3): who minds that gives a smaller greatest size.
#include "base/mem.h"
#include "crypto/bn/bn.h"
#include "crypto/dh/dh.h"

static tn_span without_zeros(tn_span s) {
  while (s.n != 0 && s.p[0] == 0) s.p++, s.n--;
  return s;
}

static const tn_dh_group *find_modulus(const uint64_t *p, size_t bits) {
  for (const tn_dh_group *group = tn_dh_groups; group->name != NULL; group++)
    if (bits == 8u * group->len && tn_bn_equal(p, group->p, group->len / 8) != 0) return group;
  return NULL;
}

static bool has_small_factor(const uint64_t *p, size_t words) {
  static const uint8_t primes[] = {3, 5, 7, 11, 13, 17, 19, 23, 29};
  uint64_t rest = 0;  // modulo their product
  for (size_t i = 2 * words; i-- != 0;) rest = (rest << 32 | (uint32_t)(p[i / 2] >> 32 * (i % 2))) % 3234846615;
  bool any = false;
  for (size_t i = 0; i < sizeof primes; i++) any |= rest % primes[i] == 0;
  return any;
}

// r = a / 2^shift
static void shift_right(uint64_t *r, const uint64_t *a, size_t shift, size_t words) {
  for (size_t i = 0; i < words; i++) {
    const size_t from = i + shift / 64;
    const uint64_t low = from < words ? a[from] : 0, high = from + 1 < words ? a[from + 1] : 0;
    r[i] = shift % 64 == 0 ? low : low >> shift % 64 | high << (64 - shift % 64);
  }
}

#define ROUNDS 2

typedef struct candidate {
  tn_bn_mod m;  // modulo p
  uint64_t rr[TN_BN_MAX_WORDS];
  uint64_t last[TN_BN_MAX_WORDS];  // p - 1 = 2^twos odd
  uint64_t odd[TN_BN_MAX_WORDS];
  size_t twos;
  tn_bn_scratch scratch;
} candidate;

// Whether base proves that p is composite: it is not if base^odd is 1, or -1 after up to twos - 1 squarings.
static bool is_witness(candidate *c, const uint64_t *base) {
  static const uint64_t one[TN_BN_MAX_WORDS] = {1};
  const size_t words = c->m.words;
  uint64_t y[TN_BN_MAX_WORDS], t[TN_BN_MAX_WORDS];
  tn_bn_mod_exp(&(tn_bn_power){y, base, c->odd, &c->m}, 1, c->m.bits - c->twos, &c->scratch);
  if (tn_bn_equal(y, one, words) != 0) return false;
  for (size_t i = 0; i < c->twos; i++) {
    if (tn_bn_equal(y, c->last, words) != 0) return false;
    tn_bn_mod_mul(t, y, c->m.rr, &c->m);
    tn_bn_mod_mul(y, y, t, &c->m);
  }
  return true;
}

// FIPS 186-5 appendix B.3.1, for an odd p.
static tn_result check_prime(const uint64_t *p, size_t bits, const tn_rng *rng) {
  static const uint64_t one[TN_BN_MAX_WORDS] = {1};
  const size_t words = tn_bn_words(bits), n = (bits + 7) / 8;
  candidate c = {.twos = 0};
  TN_TRY(tn_bn_mod_init(&c.m, p, c.rr, words));
  (void)tn_bn_sub(c.last, p, one, words);
  while ((c.last[c.twos / 64] >> c.twos % 64 & 1) == 0) c.twos++;
  shift_right(c.odd, c.last, c.twos, words);
  tn_result r = tn_success();
  for (int i = 0; i < ROUNDS && tn_ok(r); i++) {
    uint64_t base[TN_BN_MAX_WORDS];
    uint8_t bytes[TN_DH_MAX_BYTES];
    TN_TRY(tn_random(rng, bytes, n));
    // One bit shorter than p, and 2 or more: from 2 to p - 2.
    bytes[0] &= (uint8_t)((1u << (bits - 1) % 8) - 1);
    bytes[n - 1] |= 2;
    TN_ENSURE(tn_bn_from_bytes(base, words, (tn_span){bytes, n}), TN_E_BAD_ARGUMENT);
    if (is_witness(&c, base)) r = tn_fail(TN_E_DH_NOT_PRIME);
  }
  tn_bn_scratch_wipe(&c.scratch, &c.m);
  return r;
}

tn_result tn_dh_accept(tn_dh_own *own, tn_span p, tn_span g, tn_span share, size_t min_bits, size_t max_bits,
                       const tn_rng *rng, const tn_dh_group **group) {
  uint64_t y[TN_BN_MAX_WORDS];
  *group = NULL;
  TN_ENSURE(min_bits >= TN_DH_LEAST_BITS && max_bits <= TN_DH_MAX_BITS, TN_E_BAD_ARGUMENT);
  p = without_zeros(p);
  TN_ENSURE(tn_bn_from_bytes(own->p, TN_BN_MAX_WORDS, p), TN_E_DH_TOO_LARGE);
  const size_t bits = tn_bn_bits(own->p, TN_BN_MAX_WORDS), words = tn_bn_words(bits);
  TN_ENSURE(bits >= min_bits, TN_E_DH_TOO_SMALL);
  TN_ENSURE(bits <= max_bits, TN_E_DH_TOO_LARGE);
  TN_ENSURE(tn_bn_from_bytes(own->g, words, g) && tn_dh_in_range(own->g, own->p, words), TN_E_DH_GENERATOR);
  TN_ENSURE(tn_bn_from_bytes(y, words, share) && tn_dh_in_range(y, own->p, words), TN_E_BAD_KEY_SHARE);

  const tn_dh_group *known = find_modulus(own->p, bits);
  if (known != NULL && tn_bn_equal_word(own->g, 2, words) != 0) {
    *group = known;
    return tn_success();
  }
  // Modulo a safe prime every g has an order of half of it at least, and short exponents do. What the order is modulo
  // another prime is not known, so that only the longest exponents are as good as it: a short one is lost where small
  // factors of the order tell a part of it (van Oorschot and Wiener, "On Diffie-Hellman Key Agreement with Short
  // Exponents", 1996).
  if (known == NULL) {
    TN_ENSURE((own->p[0] & 1) != 0 && !has_small_factor(own->p, words), TN_E_DH_NOT_PRIME);
    TN_TRY(check_prime(own->p, bits, rng));
  }
  own->group = (tn_dh_group){.len = (uint16_t)p.n, .private_bits = (uint16_t)(bits - 1), .p = own->p, .g = own->g};
  if (known != NULL) own->group.private_bits = known->private_bits;
  *group = &own->group;
  return tn_success();
}
