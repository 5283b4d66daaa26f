// The point formulas of weierstrass_point.h for P-256, with operands kept in registers from one step to the next.
// A point is x, y, z, an affine one x, y, of four words each, as p256_field_adx.h has them; all below p.
//
//   void tn_p256_point_double_adx(uint64_t r[12], const uint64_t a[12]);
//   void tn_p256_point_add_adx(uint64_t r[12], const uint64_t a[12], const uint64_t b[12]);
//   void tn_p256_point_add_affine_adx(uint64_t r[12], const uint64_t a[12], const uint64_t b[8]);
//
// r may be a in the first, but not overlap a or b in the others, which are the chord alone: neither operand may be
// infinity. Constant time: no branch, no table.
#if defined(__x86_64__)
#include "crypto/x86_64/p256_field_adx.h"

// rdi = r and rbp = a throughout. In a point:
#define X 0
#define Y 32
#define Z 64

// r12 ... r15 = r8 ... r11 + [m]
.macro PLUS m
    add     r8, [\m]
    adc     r9, [\m + 8]
    adc     r10, [\m + 16]
    adc     r11, [\m + 24]
    LESS_P  r12, r13, r14, r15, r8, r9, r10, r11
.endm

// d0 ... d3, which is a difference whose borrow is CF, plus p if it borrowed. Changes rcx, rdx, rsi.
.macro PLUS_P d0, d1, d2, d3
    sbb     rdx, rdx
    mov     esi, edx
    mov     rcx, rbx
    and     rcx, rdx
    add     \d0, rdx
    adc     \d1, rsi
    adc     \d2, 0
    adc     \d3, rcx
.endm

// r8 ... r11 -= [m]
.macro SUBTRACT m
    sub     r8, [\m]
    sbb     r9, [\m + 8]
    sbb     r10, [\m + 16]
    sbb     r11, [\m + 24]
    PLUS_P  r8, r9, r10, r11
.endm

// r12 ... r15 = [m] - r8 ... r11
.macro SUBTRACT_FROM m
    mov     r12, [\m]
    mov     r13, [\m + 8]
    mov     r14, [\m + 16]
    mov     r15, [\m + 24]
    sub     r12, r8
    sbb     r13, r9
    sbb     r14, r10
    sbb     r15, r11
    PLUS_P  r12, r13, r14, r15
.endm

// r8 ... r11 /= 2: half of an even number, or half of one less and (p + 1) / 2, whose words are 0, 2^31, 2^63 and
// 2^63 - 2^31. Changes rcx, rdx, rsi.
.macro HALVE
    shr     r11, 1
    rcr     r10, 1
    rcr     r9, 1
    rcr     r8, 1
    sbb     rcx, rcx                // -1 if it was odd
    mov     edx, 0x80000000
    and     rdx, rcx
    shl     rcx, 63
    mov     rsi, rcx
    sub     rsi, rdx
    add     r9, rdx
    adc     r10, rcx
    adc     r11, rsi
.endm

.macro STORE_HIGH to
    mov     [\to], r12
    mov     [\to + 8], r13
    mov     [\to + 16], r14
    mov     [\to + 24], r15
.endm

.macro TIMES a, b
    lea     rsi, [\a]
    lea     rdx, [\b]
    call    multiply
.endm

.macro SQR a
    lea     rsi, [\a]
    call    square
.endm

.macro FUNCTION name
.globl \name
.hidden \name
.type \name, @function
.balign 32
\name:
    endbr64
    push    rbx
    push    rbp
    push    r12
    push    r13
    push    r14
    push    r15
    mov     rbp, rsi
.endm

.macro RETURN frame
    add     rsp, \frame
    pop     r15
    pop     r14
    pop     r13
    pop     r12
    pop     rbp
    pop     rbx
    ret
.endm

.text
.balign 32
multiply:
    MULTIPLY
    ret
.balign 32
square:
    SQUARE
    ret

// Temporaries, each four words.
#define T(i) rsp+32*i

FUNCTION tn_p256_point_double_adx
    sub     rsp, 32 * 7
    SQR     rbp+Z
    SUBTRACT_FROM rbp+X
    STORE_HIGH T(0)                 // x - z^2
    PLUS    rbp+X
    STORE_HIGH T(1)                 // x + z^2
    SQR     rbp+Y
    STORE   T(2)                    // y^2
    TIMES   T(0), T(1)
    STORE   T(0)
    HALVE
    PLUS    T(0)
    STORE_HIGH T(0)                 // alpha = 3/2 (x - z^2) (x + z^2)
    TIMES   rbp+X, T(2)
    STORE   T(3)                    // beta = x y^2
    PLUS    T(3)
    STORE_HIGH T(4)                 // 2 beta
    TIMES   rbp+Y, rbp+Z
    STORE   rdi+Z                 // z' = y z
    SQR     T(2)
    STORE   T(5)                    // y^4
    SQR     T(0)
    SUBTRACT T(4)
    STORE   rdi+X                 // x' = alpha^2 - 2 beta
    SUBTRACT_FROM T(3)
    STORE_HIGH T(3)                 // beta - x'
    TIMES   T(0), T(3)
    SUBTRACT T(5)
    STORE   rdi+Y                 // y' = alpha (beta - x') - y^4
    RETURN  32*7
.size tn_p256_point_double_adx, . - tn_p256_point_double_adx

// chord() of weierstrass_point.h but for z': from u1 and s1 in memory, h in T(2) and s in T(1).
.macro CHORD u1, s1
    SQR     T(2)
    STORE   T(0)                    // h^2
    TIMES   T(0), T(2)
    STORE   T(3)                    // h^3
    TIMES   \u1, T(0)
    STORE   T(4)                    // v = u1 h^2
    TIMES   \s1, T(3)
    STORE   T(5)                    // s1 h^3
    SQR     T(1)
    SUBTRACT T(3)
    SUBTRACT T(4)
    SUBTRACT T(4)
    STORE   rdi+X                 // x' = s^2 - h^3 - 2 v
    SUBTRACT_FROM T(4)
    STORE_HIGH T(4)                 // v - x'
    TIMES   T(1), T(4)
    SUBTRACT T(5)
    STORE   rdi+Y                 // y' = s (v - x') - s1 h^3
.endm

FUNCTION tn_p256_point_add_affine_adx
    sub     rsp, 32 * 7
    mov     [T(6)], rdx
    SQR     rbp+Z
    STORE   T(0)                    // z1^2
    mov     rcx, [T(6)]
    TIMES   rcx+X, T(0)
    SUBTRACT rbp+X
    STORE   T(2)                    // h = x2 z1^2 - x1
    mov     rcx, [T(6)]
    TIMES   rcx+Y, rbp+Z
    STORE   T(1)
    TIMES   rbp+Z, T(2)
    STORE   rdi+Z                 // z' = z1 h
    TIMES   T(1), T(0)
    SUBTRACT rbp+Y
    STORE   T(1)                    // s = y2 z1^3 - y1
    CHORD   rbp+X, rbp+Y
    RETURN  32*7
.size tn_p256_point_add_affine_adx, . - tn_p256_point_add_affine_adx

FUNCTION tn_p256_point_add_adx
    sub     rsp, 32 * 9
    mov     [T(8)], rdx
    SQR     rbp+Z
    STORE   T(0)                    // z1^2
    mov     rcx, [T(8)]
    SQR     rcx+Z
    STORE   T(1)                    // z2^2
    mov     rcx, [T(8)]
    TIMES   rbp+Y, rcx+Z
    STORE   T(7)
    mov     rcx, [T(8)]
    TIMES   rcx+Y, rbp+Z
    STORE   T(3)
    TIMES   rbp+X, T(1)
    STORE   T(6)                    // u1 = x1 z2^2
    mov     rcx, [T(8)]
    TIMES   rcx+X, T(0)
    SUBTRACT T(6)
    STORE   T(2)                    // h = x2 z1^2 - u1
    TIMES   T(7), T(1)
    STORE   T(7)                    // s1 = y1 z2^3
    mov     rcx, [T(8)]
    TIMES   rcx+Z, rbp+Z
    STORE   T(4)
    TIMES   T(3), T(0)
    SUBTRACT T(7)
    STORE   T(1)                    // s = y2 z1^3 - s1
    TIMES   T(4), T(2)
    STORE   rdi+Z                 // z' = z1 z2 h
    CHORD   T(6), T(7)
    RETURN  32*9
.size tn_p256_point_add_adx, . - tn_p256_point_add_adx
#endif
.section .note.GNU-stack, "", @progbits
