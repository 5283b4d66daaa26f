#!/usr/bin/env python3
"""Writes src/crypto/ec/edwards25519_table.c: multiples of the base point of edwards25519.

    tools/ed25519_table.py > src/crypto/ec/edwards25519_table.c

A point is written as y + x, y - x, 2 d x y: canonical, words least significant first.
"""

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
ROWS, MULTIPLES = 64, 8
ODD = 64


def add(a, b):
    """The affine group law, which is complete."""
    (x1, y1), (x2, y2) = a, b
    k = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + k, -1, P) % P
    return x, (y1 * y2 + x1 * x2) * pow(1 - k, -1, P) % P


def base_point():
    """RFC 8032 section 5.1: y = 4/5, x even."""
    y = 4 * pow(5, -1, P) % P
    xx = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(xx, (P + 3) // 8, P)
    if x * x % P != xx:
        x = x * pow(2, (P - 1) // 4, P) % P
    return (x if x % 2 == 0 else P - x), y


def write(indent, point):
    x, y = point
    rows = [", ".join(f"0x{v % P >> 64 * i & 2**64 - 1:016x}" for i in range(4)) for v in (y + x, y - x, 2 * D * x * y)]
    print(f"{indent}{{{{{rows[0]}}},")
    print(f"{indent} {{{rows[1]}}},")
    print(f"{indent} {{{rows[2]}}}}},")


def multiples(first, step, n):
    point = first
    for _ in range(n):
        yield point
        point = add(point, step)


base = base_point()
print("// Written by tools/ed25519_table.py.")
print('#include "crypto/ec/edwards25519.h"')
print()
print("// clang-format off")
print(f"const tn_edwards25519_entry tn_edwards25519_multiples[{ROWS}][{MULTIPLES}] = {{")
row = base
for _ in range(ROWS):
    print("    {")
    for point in multiples(row, row, MULTIPLES):
        write("        ", point)
    print("    },")
    for _ in range(4):
        row = add(row, row)
print("};")
print()
print(f"const tn_edwards25519_entry tn_edwards25519_odd[{ODD}] = {{")
for point in multiples(base, add(base, base), ODD):
    write("    ", point)
print("};")
