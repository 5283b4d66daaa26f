#!/usr/bin/env python3
"""Writes src/crypto/ec/p256_table.h: multiples of P-256's generator for tn_p256_mul_base().

    tools/p256_table.py > src/crypto/ec/p256_table.h

Row i has 1, 2, ... 32 times 2^(12 i) G, affine, in Montgomery's form, words least significant first.
"""

WINDOW = 6
ROWS = 22
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
A = P - 3
G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
     0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def add(a, b):
    """The affine group law; neither argument nor result is infinity here."""
    (x1, y1), (x2, y2) = a, b
    if a == b:
        slope = (3 * x1 * x1 + A) * pow(2 * y1, -1, P) % P
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, P) % P
    x = (slope * slope - x1 - x2) % P
    return x, (slope * (x1 - x) - y1) % P


def words(v):
    v = v * 2**256 % P
    return ", ".join(f"0x{v >> 64 * i & 2**64 - 1:016x}" for i in range(4))


print("// Written by tools/p256_table.py: row i has 1, 2, ... 32 times 2^(12 i) G.")
print("// clang-format off")
print("#ifndef TN_CRYPTO_P256_TABLE_H")
print("#define TN_CRYPTO_P256_TABLE_H")
print()
print('#include "crypto/ec/p256_point.h"')
print()
print(f"#define TN_P256_TABLE_WINDOW {WINDOW}")
print(f"#define TN_P256_TABLE_ROWS {ROWS}")
print(f"#define TN_P256_TABLE_MULTIPLES {2 ** (WINDOW - 1)}")
print()
print("static const tn_p256_affine tn_p256_table[TN_P256_TABLE_ROWS][TN_P256_TABLE_MULTIPLES]")
print("    __attribute__((aligned(64))) = {")
base = G
for row in range(ROWS):
    print("    {")
    multiple = base
    for _ in range(2 ** (WINDOW - 1)):
        print(f"        {{{{{{{words(multiple[0])}}}}},")
        print(f"         {{{{{words(multiple[1])}}}}}}},")
        multiple = add(multiple, base)
    print("    },")
    for _ in range(2 * WINDOW):
        base = add(base, base)
print("};")
print()
print("#endif")
