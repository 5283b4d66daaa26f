#!/usr/bin/env python3
"""Writes src/crypto/cipher/des_table.h: the S-boxes of DES as polynomials, and its permutation P as rotations.

    tools/des_table.py > src/crypto/cipher/des_table.h

The eight S-boxes are one function of 48 bits. Their 32 bits of output stand in a word in which nibble j belongs to
S-box j + 1; the order within a nibble is free, and is chosen such that P takes as few rotations as possible.
"""

from itertools import permutations

# FIPS 46-3, appendix 1: four rows each, chosen by the outer two of the six bits of input.
S_BOXES = [
    """14 4 13 1 2 15 11 8 3 10 6 12 5 9 0 7  0 15 7 4 14 2 13 1 10 6 12 11 9 5 3 8
       4 1 14 8 13 6 2 11 15 12 9 7 3 10 5 0  15 12 8 2 4 9 1 7 5 11 3 14 10 0 6 13""",
    """15 1 8 14 6 11 3 4 9 7 2 13 12 0 5 10  3 13 4 7 15 2 8 14 12 0 1 10 6 9 11 5
       0 14 7 11 10 4 13 1 5 8 12 6 9 3 2 15  13 8 10 1 3 15 4 2 11 6 7 12 0 5 14 9""",
    """10 0 9 14 6 3 15 5 1 13 12 7 11 4 2 8  13 7 0 9 3 4 6 10 2 8 5 14 12 11 15 1
       13 6 4 9 8 15 3 0 11 1 2 12 5 10 14 7  1 10 13 0 6 9 8 7 4 15 14 3 11 5 2 12""",
    """7 13 14 3 0 6 9 10 1 2 8 5 11 12 4 15  13 8 11 5 6 15 0 3 4 7 2 12 1 10 14 9
       10 6 9 0 12 11 7 13 15 1 3 14 5 2 8 4  3 15 0 6 10 1 13 8 9 4 5 11 12 7 2 14""",
    """2 12 4 1 7 10 11 6 8 5 3 15 13 0 14 9  14 11 2 12 4 7 13 1 5 0 15 10 3 9 8 6
       4 2 1 11 10 13 7 8 15 9 12 5 6 3 0 14  11 8 12 7 1 14 2 13 6 15 0 9 10 4 5 3""",
    """12 1 10 15 9 2 6 8 0 13 3 4 14 7 5 11  10 15 4 2 7 12 9 5 6 1 13 14 0 11 3 8
       9 14 15 5 2 8 12 3 7 0 4 10 1 13 11 6  4 3 2 12 9 5 15 10 11 14 1 7 6 0 8 13""",
    """4 11 2 14 15 0 8 13 3 12 9 7 5 10 6 1  13 0 11 7 4 9 1 10 14 3 5 12 2 15 8 6
       1 4 11 13 12 3 7 14 10 15 6 8 0 5 9 2  6 11 13 8 1 4 10 7 9 5 0 15 14 2 3 12""",
    """13 2 8 4 6 15 11 1 10 9 3 14 5 0 12 7  1 15 13 8 10 3 7 4 12 5 6 11 0 14 9 2
       7 11 4 1 9 12 14 2 0 6 10 13 15 3 5 8  2 1 14 7 4 10 8 13 15 12 9 0 3 5 6 11""",
]
S_BOXES = [[int(x) for x in box.split()] for box in S_BOXES]
P = [16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10,
     2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25]  # fmt: skip
TARGET = [P.index(source + 1) for source in range(32)]  # bits are counted from the left, from 0

# The house keeps R turned to the right by one bit, so that four inputs of each S-box stand in its nibble.
TURN = 1


def rotations_of(box, order):
    """To the right, for the four outputs of a box if output i stands at place order[i] of its nibble."""
    return {(TARGET[4 * box + i] + TURN - 4 * box - order[i]) % 32 for i in range(4)}


def fewest_rotations():
    """The orders of the eight boxes that need the fewest rotations together."""
    choices = [[(order, rotations_of(box, order)) for order in permutations(range(4))] for box in range(8)]
    best = [33, None]

    def search(orders, used):
        if len(used) >= best[0]:
            return
        if len(orders) == 8:
            best[:] = len(used), orders
            return
        for order, rotations in sorted(choices[len(orders)], key=lambda c: len(used | c[1])):
            search(orders + [order], used | rotations)

    search([], set())
    return best[1]


def outputs(orders, inputs):
    """The word of outputs if every S-box has these six bits of input, the first as the lowest."""
    word = 0
    for box, order in enumerate(orders):
        bit = [inputs >> i & 1 for i in range(6)]
        row, column = 2 * bit[0] + bit[5], 8 * bit[1] + 4 * bit[2] + 2 * bit[3] + bit[4]
        value = S_BOXES[box][16 * row + column]
        for i in range(4):
            word |= (value >> (3 - i) & 1) << (31 - 4 * box - order[i])
    return word


def polynomials(orders):
    """Coefficient m belongs to the product of the inputs whose bits are set in m (a Moebius transform)."""
    words = [outputs(orders, inputs) for inputs in range(64)]
    for i in range(6):
        for m in range(64):
            if m >> i & 1:
                words[m] ^= words[m ^ 1 << i]
    return words


def main():
    orders = fewest_rotations()
    words = polynomials(orders)
    masks = {}
    for box, order in enumerate(orders):
        for i in range(4):
            rotation = (TARGET[4 * box + i] + TURN - 4 * box - order[i]) % 32
            masks[rotation] = masks.get(rotation, 0) | 1 << (31 - 4 * box - order[i])
    # For fixed inputs 0 and 5 a box permutes the other four, so that no product has all of those.
    assert not any(words[m] for m in (30, 31, 62, 63))
    print("// Written by tools/des_table.py, which explains it.")
    print("// clang-format off")
    print("#ifndef TN_CRYPTO_DES_TABLE_H\n#define TN_CRYPTO_DES_TABLE_H\n\n#include <stdint.h>\n")
    print("// The S-boxes as polynomials: element m has the coefficients of the product of those of the inputs 0 to 4 whose")
    print("// bits are set in m; in its upper half, those of the same product times input 5.")
    print("#define TN_DES_PRODUCTS 30")
    print("static const uint64_t tn_des_s_boxes[TN_DES_PRODUCTS] = {")
    for m in range(0, 30, 5):
        print("  " + " ".join(f"0x{words[n | 32]:08x}{words[n]:08x}," for n in range(m, m + 5)))
    print("};\n")
    print("// The permutation P: bits, and how far they rotate to the right.")
    print(f"#define TN_DES_ROTATIONS {len(masks)}")
    print("static const struct {\n  uint32_t mask;\n  unsigned right;\n} tn_des_p[TN_DES_ROTATIONS] = {")
    for rotation, mask in sorted(masks.items()):
        print(f"  {{0x{mask:08x}, {rotation}}},")
    print("};\n\n#endif")


if __name__ == "__main__":
    main()
