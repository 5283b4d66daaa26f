#!/usr/bin/env python3
"""Writes src/crypto/dh/dh_table.c: the primes of RFC 7919 and RFC 3526, from their formulas, and powers of two modulo
some of them for the comb of dh.c.

    tools/dh_table.py > src/crypto/dh/dh_table.c
"""

# Bits, RFC 7919's X and RFC 3526's constant.
SIZES = ((2048, 560316, 124476), (3072, 2625351, 1690314), (4096, 5736041, 240904), (6144, 15705020, 929484),
         (8192, 10965728, 4743158))
# Bits of the exponents of the groups that have a comb: RFC 7919 section 5.2.
COMBS = {2048: 225, 3072: 275, 4096: 325}
TEETH = 5


def e(bits):
    """[2^bits e]: the sum of 1/n!, with bits to spare."""
    term = total = 1 << bits + 64
    n = 0
    while term:
        n += 1
        term //= n
        total += term
    return total >> 64


def pi(bits):
    """[2^bits pi] by Machin's formula, with bits to spare."""
    def arctan_of_inverse(x):
        power = total = (1 << bits + 64) // x
        n = 1
        while power:
            power //= x * x
            n += 2
            total += power // n if n % 4 == 1 else -(power // n)
        return total
    return 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239)) >> 64


def prime(bits, constant, x):
    return 2**bits - 2**(bits - 64) + (constant(bits - 130) + x) * 2**64 - 1


def write(name, rows, bits):
    words = bits // 64
    size = f"{len(rows)} * {words}" if len(rows) > 1 else words
    print(f"\nconst uint64_t {name}[{size}] = {{")
    for v in rows:
        for i in range(0, words, 4):
            print("    " + " ".join(f"0x{v >> 64 * j & 2**64 - 1:016x}," for j in range(i, i + 4)))
    print("};")


print("// Written by tools/dh_table.py: the primes, lowest word first, and the combs of dh.c.")
print("// clang-format off")
print('#include "crypto/dh/dh_table.h"')
for bits, x, constant in SIZES:
    write(f"tn_ffdhe{bits}", [prime(bits, e, x)], bits)
    write(f"tn_modp{bits}", [prime(bits, pi, constant)], bits)
for bits, exponent in COMBS.items():
    p = prime(bits, e, SIZES[[size[0] for size in SIZES].index(bits)][1])
    tooth = -(-exponent // TEETH)
    powers = [sum((i >> j & 1) << tooth * j for j in range(TEETH)) for i in range(2**TEETH)]
    write(f"tn_ffdhe{bits}_comb", [pow(2, power, p) * 2**bits % p for power in powers], bits)
