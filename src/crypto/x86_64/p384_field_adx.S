// Multiplication and squaring modulo p = 2^384 - 2^128 - 2^96 + 2^32 - 1 with MULX, ADCX and ADOX.
// Montgomery's form: the result is a b / 2^384 mod p, in [0, p), for a, b < p. Constant time: no branch, no table.
//
//   void tn_p384_fe_mul_adx(uint64_t r[6], const uint64_t a[6], const uint64_t b[6]);
//   void tn_p384_fe_sqr_adx(uint64_t r[6], const uint64_t a[6]);
//
// r may be a or b: both are read before r is written. The two halves of the former by themselves, where t <= (p - 1)^2
// in tn_p384_fe_reduce_adx, and t does not overlap a and b in the other, which takes any words:
//
//   void tn_p384_fe_reduce_adx(uint64_t r[6], const uint64_t t[12]);
//   void tn_p384_words_mul_adx(uint64_t t[12], const uint64_t a[6], const uint64_t b[6]);
#if defined(__x86_64__)
.intel_syntax noprefix

// The stack frame: the low half of the product, t0 to t5, below its high half, t6 to t11.
#define FRAME 96
#define LOW(i) [rsp + 8 * i]
#define HIGH(i) [rsp + 48 + 8 * i]

// One step of Montgomery's reduction. The number w0 ... w5, less rbp 2^256, becomes (it + m p) / 2^64, for the m that
// clears its lowest word: w1 ... w5, w0, less rbp 2^192, which is for the next step to take off as its rbp 2^256, in
// passing. rcx = 32; changes rax, rbx, rdx, rbp.
//
// m = w0 * -1/p = w0 + w0 2^32 mod 2^64. Let t = w0 2^32 mod 2^64, k the carry of w0 + t, u = m / 2^32 rounded down. Then
// w0 - m + m 2^32 = (u + k) 2^64, so that of m p
//   (w0 + m p) / 2^64 = m 2^320 - (m + u) 2^64 - (t - u - k).
// The number stays below 2^384: from a number below 2^384, after any step, it is at most max(2^384 - 1, p).
.macro REDUCE_WORD w0, w1, w2, w3, w4, w5
    mov     rax, \w0
    shl     rax, 32                 // t
    add     \w0, rax                // m, k in CF
    shrx    rbx, \w0, rcx           // u
    sbb     rax, rbx                // t - u - k
    mov     rdx, \w0
    sbb     rdx, 0                  // m, less the borrow: m = 0 has none
    add     rdx, rbx                // m + u
    adc     rbp, 0                  // and its carry
    sub     \w1, rax
    sbb     \w2, rdx
    sbb     \w3, rbp
    mov     ebp, 0
    adc     ebp, ebp                // the borrow
.endm

// r = (t6 ... t11) + (w0 ... w5 reduced), less p if that is p or more; t is in memory, from the register `t` on.
// Precondition: t <= (p - 1)^2, so that the sum is below 2p (the reduced low half is at most p, the high half at most
// p - 2).
.macro REDUCE_AND_STORE t, w0, w1, w2, w3, w4, w5
    mov     ecx, 32
    xor     ebp, ebp
    REDUCE_WORD \w0, \w1, \w2, \w3, \w4, \w5
    REDUCE_WORD \w1, \w2, \w3, \w4, \w5, \w0
    REDUCE_WORD \w2, \w3, \w4, \w5, \w0, \w1
    REDUCE_WORD \w3, \w4, \w5, \w0, \w1, \w2
    REDUCE_WORD \w4, \w5, \w0, \w1, \w2, \w3
    REDUCE_WORD \w5, \w0, \w1, \w2, \w3, \w4
    sub     \w3, rbp
    sbb     \w4, 0
    sbb     \w5, 0
    add     \w0, [\t + 48]
    adc     \w1, [\t + 56]
    adc     \w2, [\t + 64]
    adc     \w3, [\t + 72]
    adc     \w4, [\t + 80]
    adc     \w5, [\t + 88]
    sbb     rsi, rsi                // -1 if the sum has a 385th bit
    // Less p is plus 2^384 - p, whose words are these, then 1, 0, 0, 0.
    mov     rax, 0xffffffff00000001
    mov     ebx, 0xffffffff
    mov     ecx, 1
    add     rax, \w0
    adc     rbx, \w1
    adc     rcx, \w2
    mov     rdx, \w3
    adc     rdx, 0
    mov     rbp, \w4
    adc     rbp, 0
    mov     r14, \w5
    adc     r14, 0
    sbb     rsi, 0                  // CF = 0 only if there was no carry at all: rsi was 0 and stays 0
    test    rsi, rsi
    cmovne  \w0, rax
    cmovne  \w1, rbx
    cmovne  \w2, rcx
    cmovne  \w3, rdx
    cmovne  \w4, rbp
    cmovne  \w5, r14
    mov     [rdi], \w0
    mov     [rdi + 8], \w1
    mov     [rdi + 16], \w2
    mov     [rdi + 24], \w3
    mov     [rdi + 32], \w4
    mov     [rdi + 40], \w5
.endm

.macro ENTER
    push    rbp
    sub     rsp, FRAME
.endm

.macro LEAVE_
    add     rsp, FRAME
    pop     rbp
    ret
.endm

// (w0 ... w6) += a b_i, where w6 is 0 on entry; the lowest word is done, and goes to memory, from the register `t` on.
.macro MULTIPLY_ADD_ROW t, i, w0, w1, w2, w3, w4, w5, w6
    mov     rdx, [rcx + 8 * \i]
    xor     \w6, \w6                // clears CF and OF
    mulx    rbx, rax, [rsi]
    adcx    \w0, rax
    adox    \w1, rbx
    mulx    rbx, rax, [rsi + 8]
    adcx    \w1, rax
    adox    \w2, rbx
    mulx    rbx, rax, [rsi + 16]
    adcx    \w2, rax
    adox    \w3, rbx
    mulx    rbx, rax, [rsi + 24]
    adcx    \w3, rax
    adox    \w4, rbx
    mulx    rbx, rax, [rsi + 32]
    adcx    \w4, rax
    adox    \w5, rbx
    mulx    rbx, rax, [rsi + 40]
    adcx    \w5, rax
    adox    \w6, rbx
    adc     \w6, 0                  // a partial sum has no more than seven words
    mov     [\t + 8 * \i], \w0
.endm

// The product of a in rsi and b in rdx: its low half to memory, from the register `t` on, t5 in
// r13 too; its high half in r14, r8, r9, r10, r11, r12.
.macro MULTIPLY t
    mov     rcx, rdx                // b
    mov     rdx, [rcx]
    mulx    r9, r8, [rsi]
    mulx    r10, rax, [rsi + 8]
    add     r9, rax
    mulx    r11, rax, [rsi + 16]
    adc     r10, rax
    mulx    r12, rax, [rsi + 24]
    adc     r11, rax
    mulx    r13, rax, [rsi + 32]
    adc     r12, rax
    mulx    r14, rax, [rsi + 40]
    adc     r13, rax
    adc     r14, 0
    mov     [\t], r8
    MULTIPLY_ADD_ROW \t, 1, r9, r10, r11, r12, r13, r14, r8
    MULTIPLY_ADD_ROW \t, 2, r10, r11, r12, r13, r14, r8, r9
    MULTIPLY_ADD_ROW \t, 3, r11, r12, r13, r14, r8, r9, r10
    MULTIPLY_ADD_ROW \t, 4, r12, r13, r14, r8, r9, r10, r11
    MULTIPLY_ADD_ROW \t, 5, r13, r14, r8, r9, r10, r11, r12
.endm

.text
.globl tn_p384_mul_raw
.hidden tn_p384_mul_raw
.type tn_p384_mul_raw, @function
.balign 32
tn_p384_mul_raw:
    ENTER
    MULTIPLY rsp
    mov     HIGH(0), r14
    mov     HIGH(1), r8
    mov     HIGH(2), r9
    mov     HIGH(3), r10
    mov     HIGH(4), r11
    mov     HIGH(5), r12
    mov     r8, LOW(0)
    mov     r9, LOW(1)
    mov     r10, LOW(2)
    mov     r11, LOW(3)
    mov     r12, LOW(4)
    REDUCE_AND_STORE rsp, r8, r9, r10, r11, r12, r13
    LEAVE_
.size tn_p384_mul_raw, . - tn_p384_mul_raw

// The products of different words, once each, are t1 to t10 in r8 to r15, rbp, rcx; their sum is below 2^767, as twice
// it is part of a^2 < 2^768. Twice that, and the squares, is a^2.
.globl tn_p384_sqr_raw
.hidden tn_p384_sqr_raw
.type tn_p384_sqr_raw, @function
.balign 32
tn_p384_sqr_raw:
    ENTER
    mov     rdx, [rsi]              // a0 (a1 ... a5)
    mulx    r9, r8, [rsi + 8]
    mulx    r10, rax, [rsi + 16]
    add     r9, rax
    mulx    r11, rax, [rsi + 24]
    adc     r10, rax
    mulx    r12, rax, [rsi + 32]
    adc     r11, rax
    mulx    r13, rax, [rsi + 40]
    adc     r12, rax
    adc     r13, 0
    mov     rdx, [rsi + 8]          // a1 (a2 ... a5)
    xor     r14, r14
    mulx    rbx, rax, [rsi + 16]
    adcx    r10, rax
    adox    r11, rbx
    mulx    rbx, rax, [rsi + 24]
    adcx    r11, rax
    adox    r12, rbx
    mulx    rbx, rax, [rsi + 32]
    adcx    r12, rax
    adox    r13, rbx
    mulx    rbx, rax, [rsi + 40]
    adcx    r13, rax
    adox    r14, rbx
    adc     r14, 0
    mov     rdx, [rsi + 16]         // a2 (a3, a4, a5)
    xor     r15, r15
    mulx    rbx, rax, [rsi + 24]
    adcx    r12, rax
    adox    r13, rbx
    mulx    rbx, rax, [rsi + 32]
    adcx    r13, rax
    adox    r14, rbx
    mulx    rbx, rax, [rsi + 40]
    adcx    r14, rax
    adox    r15, rbx
    adc     r15, 0
    mov     rdx, [rsi + 24]         // a3 (a4, a5)
    xor     ebp, ebp
    mulx    rbx, rax, [rsi + 32]
    adcx    r14, rax
    adox    r15, rbx
    mulx    rbx, rax, [rsi + 40]
    adcx    r15, rax
    adox    rbp, rbx
    adc     rbp, 0
    mov     rdx, [rsi + 32]         // a4 a5
    mulx    rcx, rax, [rsi + 40]
    add     rbp, rax
    adc     rcx, 0

    xor     eax, eax                // clears CF, which doubles, and OF, which adds the squares
    mov     rdx, [rsi]
    mulx    rbx, rax, rdx
    mov     LOW(0), rax
    adcx    r8, r8
    adox    r8, rbx
    mov     rdx, [rsi + 8]
    mulx    rbx, rax, rdx
    adcx    r9, r9
    adox    r9, rax
    adcx    r10, r10
    adox    r10, rbx
    mov     rdx, [rsi + 16]
    mulx    rbx, rax, rdx
    adcx    r11, r11
    adox    r11, rax
    adcx    r12, r12
    adox    r12, rbx
    mov     rdx, [rsi + 24]
    mulx    rbx, rax, rdx
    adcx    r13, r13
    adox    r13, rax
    mov     HIGH(0), r13
    adcx    r14, r14
    adox    r14, rbx
    mov     HIGH(1), r14
    mov     rdx, [rsi + 32]
    mulx    rbx, rax, rdx
    adcx    r15, r15
    adox    r15, rax
    mov     HIGH(2), r15
    adcx    rbp, rbp
    adox    rbp, rbx
    mov     HIGH(3), rbp
    mov     rdx, [rsi + 40]
    mulx    rbx, rax, rdx
    mov     esi, 0
    adcx    rcx, rcx
    adox    rcx, rax
    mov     HIGH(4), rcx
    adcx    rbx, rsi
    adox    rbx, rsi
    mov     HIGH(5), rbx
    mov     r13, LOW(0)
    REDUCE_AND_STORE rsp, r13, r8, r9, r10, r11, r12
    LEAVE_
.size tn_p384_sqr_raw, . - tn_p384_sqr_raw

.globl tn_p384_reduce_raw
.hidden tn_p384_reduce_raw
.type tn_p384_reduce_raw, @function
.balign 32
tn_p384_reduce_raw:
    ENTER
    mov     r8, [rsi]
    mov     r9, [rsi + 8]
    mov     r10, [rsi + 16]
    mov     r11, [rsi + 24]
    mov     r12, [rsi + 32]
    mov     r13, [rsi + 40]
    REDUCE_AND_STORE rsi, r8, r9, r10, r11, r12, r13
    LEAVE_
.size tn_p384_reduce_raw, . - tn_p384_reduce_raw

.globl tn_p384_words_mul_raw
.hidden tn_p384_words_mul_raw
.type tn_p384_words_mul_raw, @function
.balign 32
tn_p384_words_mul_raw:
    ENTER
    MULTIPLY rdi
    mov     [rdi + 48], r14
    mov     [rdi + 56], r8
    mov     [rdi + 64], r9
    mov     [rdi + 72], r10
    mov     [rdi + 80], r11
    mov     [rdi + 88], r12
    LEAVE_
.size tn_p384_words_mul_raw, . - tn_p384_words_mul_raw

// The same for C.
#include "crypto/x86_64/c_function.h"

C_FUNCTION tn_p384_fe_mul_adx, tn_p384_mul_raw
C_FUNCTION tn_p384_fe_sqr_adx, tn_p384_sqr_raw
C_FUNCTION tn_p384_fe_reduce_adx, tn_p384_reduce_raw
C_FUNCTION tn_p384_words_mul_adx, tn_p384_words_mul_raw
#endif
.section .note.GNU-stack, "", @progbits
