// Written by tools/des_table.py, which explains it.
// clang-format off
#ifndef TN_CRYPTO_DES_TABLE_H
#define TN_CRYPTO_DES_TABLE_H

#include <stdint.h>

// The S-boxes as polynomials: element m has the coefficients of the product of those of the inputs 0 to 4 whose
// bits are set in m; in its upper half, those of the same product times input 5.
#define TN_DES_PRODUCTS 30
static const uint64_t tn_des_s_boxes[TN_DES_PRODUCTS] = {
  0xdad53ca6df3b4947, 0x3473c7d5cfde5a6c, 0x7c8f804cb379697b, 0x59d0d20055e384c0, 0x461cf1109cab9abd,
  0x0403ed843562ed53, 0x79933089ca9e07e2, 0x5cc3bbf4f9e2dc93, 0x10bf610567565c53, 0xa07f212aa035c0ca,
  0x7380e02c5ab0bac6, 0xc5103365c1bfe093, 0xd110f315c1306324, 0xa11cc237f1244206, 0x401f539cc0b94284,
  0xf0505997f1bff0c6, 0x300fe111cb357bff, 0x6d0f719ef0492599, 0x019fc40d6096c006, 0xecdca02135d7c00a,
  0x1010910175fccc0a, 0x1c3c2d13a55b479f, 0x24ac600044a4c400, 0xf78fcd1d53c58899, 0xc6bc071458ebe139,
  0x0cb31fad3971da0c, 0x452f8a783c366417, 0x5b30674cea2fac93, 0x1233f3d18111eba0, 0x70bfc2b0a105fac0,
};

// The permutation P: bits, and how far they rotate to the right.
#define TN_DES_ROTATIONS 8
static const struct {
  uint32_t mask;
  unsigned right;
} tn_des_p[TN_DES_ROTATIONS] = {
  {0x00884084, 8},
  {0x88000800, 9},
  {0x04040120, 13},
  {0x10200000, 14},
  {0x00128048, 19},
  {0x42002401, 22},
  {0x01011010, 27},
  {0x20400202, 29},
};

#endif
