// Multiplication and squaring modulo p = 2^521 - 1 with MULX, ADCX and ADOX: a b mod p, in [0, p), for a, b < p.
// Constant time: no branch, no table.
//
//   void tn_p521_mul_raw(uint64_t r[9], const uint64_t a[9], const uint64_t b[9]);
//   void tn_p521_sqr_raw(uint64_t r[9], const uint64_t a[9]);
//
// r may be a or b: both are read before r is written. For field_call.h: they keep rdi, rbp and rsp alone.
#if defined(__x86_64__)
.intel_syntax noprefix

// The stack frame: the words t0 to t7 of the product, which has 17 words as it is below 2^1042.
#define FRAME 64
#define LOW(i) [rsp + 8 * i]

.macro FUNCTION name
.globl \name
.hidden \name
.type \name, @function
.balign 32
\name:
    push    rdi
    push    rbp
    sub     rsp, FRAME
.endm

// (hi, lo) += rdx a_j: lo with CF, hi with OF. Changes rax, rdi.
.macro ADD_PRODUCT j, lo, hi
    mulx    rdi, rax, [rsi + 8 * \j]
    adcx    \lo, rax
    adox    \hi, rdi
.endm

// (w0 ... w9) += a b_i, where w9 is 0 on entry. A partial sum has no more than ten words.
.macro MULTIPLY_ADD_ROW i, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9
    mov     rdx, [rcx + 8 * \i]
    xor     \w9, \w9                // clears CF and OF
    ADD_PRODUCT 0, \w0, \w1
    ADD_PRODUCT 1, \w1, \w2
    ADD_PRODUCT 2, \w2, \w3
    ADD_PRODUCT 3, \w3, \w4
    ADD_PRODUCT 4, \w4, \w5
    ADD_PRODUCT 5, \w5, \w6
    ADD_PRODUCT 6, \w6, \w7
    ADD_PRODUCT 7, \w7, \w8
    ADD_PRODUCT 8, \w8, \w9
    adc     \w9, 0
.if \i < 8
    mov     LOW(\i), \w0
.endif
.endm

// low = (high, low) / 2^9 mod 2^64
.macro SHIFT low, high
    mov     rax, \high
    shl     rax, 55
    shr     \low, 9
    or      \low, rax
.endm

// r = t mod p, and return. t0 to t7 are in memory, t8 to t16 in rbx, rbp, r8 to r14.
//
// As 2^521 = 1 mod p, that is the bits from 521 on and those below, added: at most p + (p - 1)^2 / 2^521 < 2p. With 1
// more, the sum is 2^521 or more just where it is p or more without: there its 522nd bit falls away, which takes p off;
// elsewhere the 1 is taken off again.
.macro REDUCE_AND_RETURN
    mov     edx, ebx
    and     edx, 0x1ff
    SHIFT   rbx, rbp
    SHIFT   rbp, r8
    SHIFT   r8, r9
    SHIFT   r9, r10
    SHIFT   r10, r11
    SHIFT   r11, r12
    SHIFT   r12, r13
    SHIFT   r13, r14
    shr     r14, 9
    stc
    adc     rbx, LOW(0)
    adc     rbp, LOW(1)
    adc     r8, LOW(2)
    adc     r9, LOW(3)
    adc     r10, LOW(4)
    adc     r11, LOW(5)
    adc     r12, LOW(6)
    adc     r13, LOW(7)
    adc     r14, rdx
    bt      r14, 9
    cmc
    sbb     rbx, 0
    sbb     rbp, 0
    sbb     r8, 0
    sbb     r9, 0
    sbb     r10, 0
    sbb     r11, 0
    sbb     r12, 0
    sbb     r13, 0
    sbb     r14, 0
    and     r14d, 0x1ff
    mov     rax, rbp
    add     rsp, FRAME
    pop     rbp
    pop     rdi
    mov     [rdi], rbx
    mov     [rdi + 8], rax
    mov     [rdi + 16], r8
    mov     [rdi + 24], r9
    mov     [rdi + 32], r10
    mov     [rdi + 40], r11
    mov     [rdi + 48], r12
    mov     [rdi + 56], r13
    mov     [rdi + 64], r14
    ret
.endm

.text
FUNCTION tn_p521_mul_raw
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
    mulx    r15, rax, [rsi + 48]
    adc     r14, rax
    mulx    rbx, rax, [rsi + 56]
    adc     r15, rax
    mulx    rbp, rax, [rsi + 64]
    adc     rbx, rax
    adc     rbp, 0
    mov     LOW(0), r8
    MULTIPLY_ADD_ROW 1, r9, r10, r11, r12, r13, r14, r15, rbx, rbp, r8
    MULTIPLY_ADD_ROW 2, r10, r11, r12, r13, r14, r15, rbx, rbp, r8, r9
    MULTIPLY_ADD_ROW 3, r11, r12, r13, r14, r15, rbx, rbp, r8, r9, r10
    MULTIPLY_ADD_ROW 4, r12, r13, r14, r15, rbx, rbp, r8, r9, r10, r11
    MULTIPLY_ADD_ROW 5, r13, r14, r15, rbx, rbp, r8, r9, r10, r11, r12
    MULTIPLY_ADD_ROW 6, r14, r15, rbx, rbp, r8, r9, r10, r11, r12, r13
    MULTIPLY_ADD_ROW 7, r15, rbx, rbp, r8, r9, r10, r11, r12, r13, r14
    MULTIPLY_ADD_ROW 8, rbx, rbp, r8, r9, r10, r11, r12, r13, r14, r15
    REDUCE_AND_RETURN
.size tn_p521_mul_raw, . - tn_p521_mul_raw

// Words 2 k and 2 k + 1 of the square: those of the sum of products in c0 and c1, doubled with CF, and a_k^2, added
// with OF. Changes rax, rdx, rdi.
.macro DOUBLE_AND_SQUARE k, c0, c1
    mov     rdx, [rsi + 8 * \k]
    mulx    rdi, rax, rdx
    adcx    \c0, \c0
    adox    \c0, rax
    adcx    \c1, \c1
    adox    \c1, rdi
.endm

// The same in memory.
.macro DOUBLE_AND_SQUARE_LOW k
    mov     rcx, [rsp + 16 * \k]
    mov     r15, [rsp + 16 * \k + 8]
    DOUBLE_AND_SQUARE \k, rcx, r15
    mov     [rsp + 16 * \k], rcx
    mov     [rsp + 16 * \k + 8], r15
.endm

// The products of different words, once each, are t1 to t16: below 2^1041, as twice their sum is part of a^2. A row
// leaves two words that are complete.
FUNCTION tn_p521_sqr_raw
    mov     rdx, [rsi]              // a0 (a1 ... a8)
    mulx    r9, r8, [rsi + 8]
    mulx    r10, rax, [rsi + 16]
    add     r9, rax
    mulx    r11, rax, [rsi + 24]
    adc     r10, rax
    mulx    r12, rax, [rsi + 32]
    adc     r11, rax
    mulx    r13, rax, [rsi + 40]
    adc     r12, rax
    mulx    r14, rax, [rsi + 48]
    adc     r13, rax
    mulx    rbx, rax, [rsi + 56]
    adc     r14, rax
    mulx    rbp, rax, [rsi + 64]
    adc     rbx, rax
    adc     rbp, 0
    mov     LOW(1), r8
    mov     LOW(2), r9
    mov     rdx, [rsi + 8]          // a1 (a2 ... a8)
    xor     r8, r8
    ADD_PRODUCT 2, r10, r11
    ADD_PRODUCT 3, r11, r12
    ADD_PRODUCT 4, r12, r13
    ADD_PRODUCT 5, r13, r14
    ADD_PRODUCT 6, r14, rbx
    ADD_PRODUCT 7, rbx, rbp
    ADD_PRODUCT 8, rbp, r8
    adc     r8, 0
    mov     LOW(3), r10
    mov     LOW(4), r11
    mov     rdx, [rsi + 16]         // a2 (a3 ... a8)
    xor     r9, r9
    ADD_PRODUCT 3, r12, r13
    ADD_PRODUCT 4, r13, r14
    ADD_PRODUCT 5, r14, rbx
    ADD_PRODUCT 6, rbx, rbp
    ADD_PRODUCT 7, rbp, r8
    ADD_PRODUCT 8, r8, r9
    adc     r9, 0
    mov     LOW(5), r12
    mov     LOW(6), r13
    mov     rdx, [rsi + 24]         // a3 (a4 ... a8)
    xor     r10, r10
    ADD_PRODUCT 4, r14, rbx
    ADD_PRODUCT 5, rbx, rbp
    ADD_PRODUCT 6, rbp, r8
    ADD_PRODUCT 7, r8, r9
    ADD_PRODUCT 8, r9, r10
    adc     r10, 0
    mov     LOW(7), r14
    mov     rdx, [rsi + 32]         // a4 (a5 ... a8)
    xor     r11, r11
    ADD_PRODUCT 5, rbp, r8
    ADD_PRODUCT 6, r8, r9
    ADD_PRODUCT 7, r9, r10
    ADD_PRODUCT 8, r10, r11
    adc     r11, 0
    mov     rdx, [rsi + 40]         // a5 (a6, a7, a8)
    xor     r12, r12
    ADD_PRODUCT 6, r9, r10
    ADD_PRODUCT 7, r10, r11
    ADD_PRODUCT 8, r11, r12
    adc     r12, 0
    mov     rdx, [rsi + 48]         // a6 (a7, a8)
    xor     r13, r13
    ADD_PRODUCT 7, r11, r12
    ADD_PRODUCT 8, r12, r13
    adc     r13, 0
    mov     rdx, [rsi + 56]         // a7 a8
    xor     r14, r14
    ADD_PRODUCT 8, r13, r14
    adc     r14, 0

    xor     eax, eax                // clears CF and OF
    mov     LOW(0), rax
    DOUBLE_AND_SQUARE_LOW 0
    DOUBLE_AND_SQUARE_LOW 1
    DOUBLE_AND_SQUARE_LOW 2
    DOUBLE_AND_SQUARE_LOW 3
    DOUBLE_AND_SQUARE 4, rbx, rbp
    DOUBLE_AND_SQUARE 5, r8, r9
    DOUBLE_AND_SQUARE 6, r10, r11
    DOUBLE_AND_SQUARE 7, r12, r13
    mov     rdx, [rsi + 64]
    mulx    rdi, rax, rdx           // below 2^18
    adcx    r14, r14
    adox    r14, rax
    REDUCE_AND_RETURN
.size tn_p521_sqr_raw, . - tn_p521_sqr_raw
#endif
.section .note.GNU-stack, "", @progbits
