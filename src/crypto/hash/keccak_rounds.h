// Keccak-f[1600], FIPS 202 section 3, over any type of lane: a word of 64 bits, or a vector with the same lane of
// several states. A template: who includes it defines
//   lane          the type; C's operators work on it
//   TARGET        the attribute of functions that use the type's instructions, or nothing
// and, where there is one instruction for it,
//   ROTATE(x, n)  rotation to the left by 0 < n < 64
//   XOR3(x, y, z) x ^ y ^ z
//   CHI(x, y, z)  x ^ (~y & z)
// A state is 25 lanes; lane 5 * y + x is the one with the coordinates (x, y).
#include <stdint.h>

#ifndef ROTATE
#define ROTATE(x, n) (((x) << (n)) | ((x) >> (64 - (n))))
#endif
#ifndef XOR3
#define XOR3(x, y, z) ((x) ^ ((y) ^ (z)))
#endif
#ifndef CHI
#define CHI(x, y, z) ((x) ^ (~(y) & (z)))
#endif

#define COLUMN(x) XOR3(XOR3(a[x], a[(x) + 5], a[(x) + 10]), a[(x) + 15], a[(x) + 20])

// Lane i after theta, which adds the column to its left and, rotated, the one to its right; and after rho.
// The five lanes of a column add the same two: where XOR3 is not one instruction, they share that sum.
#define THETA(i) XOR3(a[i], column[((i) + 4) % 5], rotated[((i) + 1) % 5])
#define RHO(i, n) ROTATE(THETA(i), n)

// Row y of the result: chi of the lanes that pi puts there.
#define ROW(y, lane0, lane1, lane2, lane3, lane4)                          \
  do {                                                                     \
    const lane b0 = lane0, b1 = lane1, b2 = lane2, b3 = lane3, b4 = lane4; \
    e[5 * (y) + 0] = CHI(b0, b1, b2);                                      \
    e[5 * (y) + 1] = CHI(b1, b2, b3);                                      \
    e[5 * (y) + 2] = CHI(b2, b3, b4);                                      \
    e[5 * (y) + 3] = CHI(b3, b4, b0);                                      \
    e[5 * (y) + 4] = CHI(b4, b0, b1);                                      \
  } while (0)

// e = one round of a.
TARGET __attribute__((always_inline)) static inline void keccak_round(const lane a[25], lane e[25], uint64_t constant) {
  const lane column[5] = {COLUMN(0), COLUMN(1), COLUMN(2), COLUMN(3), COLUMN(4)};
  const lane rotated[5] = {ROTATE(column[0], 1), ROTATE(column[1], 1), ROTATE(column[2], 1), ROTATE(column[3], 1),
                           ROTATE(column[4], 1)};
  ROW(0, THETA(0), RHO(6, 44), RHO(12, 43), RHO(18, 21), RHO(24, 14));
  e[0] ^= constant;
  ROW(1, RHO(3, 28), RHO(9, 20), RHO(10, 3), RHO(16, 45), RHO(22, 61));
  ROW(2, RHO(1, 1), RHO(7, 6), RHO(13, 25), RHO(19, 8), RHO(20, 18));
  ROW(3, RHO(4, 27), RHO(5, 36), RHO(11, 10), RHO(17, 15), RHO(23, 56));
  ROW(4, RHO(2, 62), RHO(8, 55), RHO(14, 39), RHO(15, 41), RHO(21, 2));
}

// In place, on the caller's memory: the compiler then spills the fewest registers.
TARGET __attribute__((always_inline)) static inline void keccak_rounds(lane a[25]) {
  static const uint64_t iota[24] = {
      0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
      0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
      0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
      0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
      0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
  };
  lane e[25];
  for (int i = 0; i < 24; i += 2) {
    keccak_round(a, e, iota[i]);
    keccak_round(e, a, iota[i + 1]);
  }
}
