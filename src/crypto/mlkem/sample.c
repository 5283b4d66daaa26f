#include "crypto/mlkem/sample.h"

#include <string.h>

#include "base/ct.h"
#include "base/mem.h"
#include "crypto/hash/keccak_x4.h"
#include "crypto/hash/shake.h"

#define MAX_WAYS 8

// ---------------------------------------------------------------- sponges in step
// Eight, four or one at a time: as many as are wanted and as the registers hold.
typedef struct sponges {
  size_t ways, rate;
  union {
    tn_keccak_x8 x8;
    tn_keccak_x4 x4;
    tn_shake x1;
  };
} sponges;

// How many to run where n are wanted. More than half of them are: idle ones cost as much.
static size_t ways_for(size_t n) { return n > 4 ? 8 : n > 1 ? 4 : 1; }

static void absorb(sponges *s, size_t rate, uint8_t in[MAX_WAYS][34], size_t n) {
  const uint8_t *at[MAX_WAYS];
  for (size_t i = 0; i < MAX_WAYS; i++) at[i] = in[i];
  s->rate = rate;
  if (s->ways == 8) {
    tn_keccak_x8_absorb(&s->x8, rate, TN_SHAKE_DOMAIN, at, n);
  } else if (s->ways == 4) {
    tn_keccak_x4_absorb(&s->x4, rate, TN_SHAKE_DOMAIN, at, n);
  } else {
    s->x1 = (tn_shake){.rate = (uint8_t)rate};
    tn_shake_absorb(&s->x1, in[0], n);
  }
}

static void squeeze(sponges *s, uint8_t *out, size_t stride, size_t n_blocks) {
  uint8_t *at[MAX_WAYS];
  for (size_t i = 0; i < MAX_WAYS; i++) at[i] = out + i * stride;
  if (s->ways == 8)
    tn_keccak_x8_squeeze(&s->x8, s->rate, at, n_blocks);
  else if (s->ways == 4)
    tn_keccak_x4_squeeze(&s->x4, s->rate, at, n_blocks);
  else
    tn_shake_squeeze(&s->x1, out, n_blocks * s->rate);
}

// ---------------------------------------------------------------- the matrix

// Three blocks hold 336 candidates, of which 273 are taken on average: another is rarely needed.
#define FIRST_BLOCKS 3

void tn_mlkem_sample_matrix(const tn_poly_arithmetic *ops, tn_poly *a, size_t k, const uint8_t rho[32],
                            bool transposed) {
  uint8_t in[MAX_WAYS][34];
  uint8_t out[MAX_WAYS][FIRST_BLOCKS * TN_SHAKE128_RATE];
  sponges s;
  for (size_t i = 0; i < MAX_WAYS; i++) {
    memcpy(in[i], rho, 32);
    TN_PUBLIC(in[i], 32);  // a part of the encapsulation key
  }
  for (size_t done = 0; done < k * k; done += s.ways) {
    const size_t left = k * k - done;
    s.ways = ways_for(left);
    const size_t wanted = left < s.ways ? left : s.ways;
    size_t have[MAX_WAYS];
    for (size_t i = 0; i < s.ways; i++) {
      const uint8_t row = (uint8_t)((done + i) / k), column = (uint8_t)((done + i) % k);
      in[i][32] = transposed ? row : column;
      in[i][33] = transposed ? column : row;
    }
    absorb(&s, TN_SHAKE128_RATE, in, 34);
    squeeze(&s, out[0], sizeof out[0], FIRST_BLOCKS);
    bool all = true;
    for (size_t i = 0; i < wanted; i++) {
      have[i] = ops->sample(a[done + i].c, TN_MLKEM_N, out[i], sizeof out[i]);
      all = all && have[i] == TN_MLKEM_N;
    }
    while (!all) {
      squeeze(&s, out[0], sizeof out[0], 1);
      all = true;
      for (size_t i = 0; i < wanted; i++) {
        have[i] += ops->sample(a[done + i].c + have[i], TN_MLKEM_N - have[i], out[i], TN_SHAKE128_RATE);
        all = all && have[i] == TN_MLKEM_N;
      }
    }
  }
}

// ---------------------------------------------------------------- noise

// A block of SHAKE256 has room for a polynomial of width 2, 128 bytes; width 3 takes 192.
#define NOISE_BLOCKS 2

void tn_mlkem_sample_noise(const tn_poly_arithmetic *ops, tn_poly *out, size_t n, size_t n_eta1, unsigned eta1,
                           const uint8_t seed[32]) {
  uint8_t in[MAX_WAYS][34];
  uint8_t drawn[MAX_WAYS][NOISE_BLOCKS * TN_SHAKE256_RATE];
  sponges s;
  for (size_t i = 0; i < MAX_WAYS; i++) memcpy(in[i], seed, 32);
  for (size_t done = 0; done < n; done += s.ways) {
    const size_t left = n - done;
    s.ways = ways_for(left);
    for (size_t i = 0; i < s.ways; i++) in[i][32] = (uint8_t)(done + i);
    absorb(&s, TN_SHAKE256_RATE, in, 33);
    squeeze(&s, drawn[0], sizeof drawn[0], eta1 == 3 ? 2 : 1);
    for (size_t i = 0; i < s.ways && done + i < n; i++) {
      if (done + i < n_eta1 && eta1 == 3)
        tn_poly_noise3(&out[done + i], drawn[i]);
      else
        ops->noise2(&out[done + i], drawn[i]);
    }
  }
  tn_wipe(in, sizeof in);
  tn_wipe(drawn, sizeof drawn);
  tn_wipe(&s, sizeof s);
}
