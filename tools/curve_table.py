#!/usr/bin/env python3
"""Writes src/crypto/ec/CURVE_table.c: multiples of the generator for multiply_base() of weierstrass_mul.h.

    for c in p256 p384 p521; do tools/curve_table.py $c > src/crypto/ec/${c}_table.c; done

Row i has 1, 2, ... 2^(w - 1) times 2^(2 w i) G, affine, as the curve's field holds them, words least significant first.
"""
import sys

# The window, the words, p, the factor of Montgomery's form (1: plain), and G. SP 800-186 section 3.2.1.
CURVES = {
    "p256": (7, 4, 2**256 - 2**224 + 2**192 + 2**96 - 1, 2**256,
             0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
             0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5),
    "p384": (6, 6, 2**384 - 2**128 - 2**96 + 2**32 - 1, 2**384,
             0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
             0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F),
    "p521": (5, 9, 2**521 - 1, 1,
             0x00C6858E06B70404E9CD9E3ECB662395B4429C648139053FB521F828AF606B4D3DBAA14B5E77EFE75928FE1DC127A2FFA8DE3348B3C1856A429BF97E7E31C2E5BD66,
             0x011839296A789A3BC0045C8A5FB42C7D1BD998F54449579B446817AFBD17273E662C97EE72995EF42640C550B9013FAD0761353C7086A272C24088BE94769FD16650),
}

name = sys.argv[1]
WINDOW, WORDS, P, FACTOR, GX, GY = CURVES[name]
BITS = P.bit_length()
DIGITS = (BITS + WINDOW) // WINDOW
ROWS = (DIGITS + 1) // 2


def add(a, b):
    """The affine group law; neither argument nor result is infinity here."""
    (x1, y1), (x2, y2) = a, b
    if a == b:
        slope = (3 * x1 * x1 - 3) * pow(2 * y1, -1, P) % P
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, P) % P
    x = (slope * slope - x1 - x2) % P
    return x, (slope * (x1 - x) - y1) % P


def words(v):
    v = v * FACTOR % P
    return ", ".join(f"0x{v >> 64 * i & 2**64 - 1:016x}" for i in range(WORDS))


print(f"// Written by tools/curve_table.py: row i has 1, 2, ... {2 ** (WINDOW - 1)} times 2^({2 * WINDOW} i) G.")
print("// clang-format off")
print('#include "crypto/ec/curve_tables.h"')
print()
print(f"const uint64_t tn_{name}_table[{ROWS}][{2 ** (WINDOW - 1)}][2 * {WORDS}] = {{")
base = (GX, GY)
for row in range(ROWS):
    print("    {")
    multiple = base
    for _ in range(2 ** (WINDOW - 1)):
        print(f"        {{{words(multiple[0])},")
        print(f"         {words(multiple[1])}}},")
        multiple = add(multiple, base)
    print("    },")
    for _ in range(2 * WINDOW):
        base = add(base, base)
print("};")
