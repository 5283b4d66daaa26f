// Macros: the field of P-256 with MULX, ADCX and ADOX, modulo p = 2^256 - 2^224 + 2^192 + 2^96 - 1. Montgomery's form:
// a product is a b / 2^256 mod p, in [0, p), for a, b < p. Constant time: no branch, no table.
// Products are left in r8 ... r11, and CONSTANTS in rax and rbx; rdi, rbp and rsp are kept, all else is changed.
.intel_syntax noprefix

// What LESS_P needs in rax and rbx: the words of p that are not -1 or 0.
.macro CONSTANTS
    mov     eax, 0xffffffff
    mov     rbx, 0xffffffff00000001
.endm

// d0 ... d3 = (CF 2^256 + s0 ... s3) mod p. Precondition: the number is below 2p. Changes rdx.
.macro LESS_P d0, d1, d2, d3, s0, s1, s2, s3
    sbb     rdx, rdx                // -1 if there is a 257th bit
    mov     \d0, \s0
    mov     \d1, \s1
    mov     \d2, \s2
    mov     \d3, \s3
    sub     \d0, -1                 // p is -1, 2^32 - 1, 0, P3
    sbb     \d1, rax
    sbb     \d2, 0
    sbb     \d3, rbx
    sbb     rdx, 0                  // CF = 1 only if the number was below p
    cmovc   \d0, \s0
    cmovc   \d1, \s1
    cmovc   \d2, \s2
    cmovc   \d3, \s3
.endm

// One step of Montgomery's reduction. The number w0 ... w3 becomes (it + m p) / 2^64, in w1, w2, w3, w0, for the m that
// clears its lowest word. As -1/p = 1 mod 2^64, m = w0, and m p = m P3 2^192 + m 2^96 - m, where P3 = 2^64 - 2^32 + 1:
// the words of m P3 are m - (m 2^32 mod 2^64) and m - m / 2^32, less the former's borrow.
// rcx = 32; changes rax, rbx, rdx.
// The number stays below 2^256: from a number below 2^256, after any step, it is at most max(2^256 - 1, p).
.macro REDUCE_WORD w0, w1, w2, w3
    shlx    rax, \w0, rcx
    shrx    rbx, \w0, rcx
    mov     rdx, \w0
    sub     rdx, rax
    sbb     \w0, rbx
    add     \w1, rax
    adc     \w2, rbx
    adc     \w3, rdx
    adc     \w0, 0
.endm

// r8 ... r11 = (r12 ... r15) + (r8 ... r11 reduced), less p if that is p or more. Precondition: the product is at most
// (p - 1)^2, so that the sum is below 2p (the reduced low half is at most p, the high half at most p - 2).
.macro REDUCE
    mov     ecx, 32
    REDUCE_WORD r8, r9, r10, r11
    REDUCE_WORD r9, r10, r11, r8
    REDUCE_WORD r10, r11, r8, r9
    REDUCE_WORD r11, r8, r9, r10
    CONSTANTS
    add     r12, r8
    adc     r13, r9
    adc     r14, r10
    adc     r15, r11
    LESS_P  r8, r9, r10, r11, r12, r13, r14, r15
.endm

// (w0 ... w4) += a b_i, where w4 is 0 on entry.
.macro MULTIPLY_ADD_ROW i, w0, w1, w2, w3, w4
    mov     rdx, [rcx + 8 * \i]
    xor     \w4, \w4                // clears CF and OF
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
    adc     \w4, 0                  // a partial sum has no more than five words
.endm

// r8 ... r11 = a b, for a in [rsi], b in [rdx].
.macro MULTIPLY
    mov     rcx, rdx                // b
    mov     rdx, [rcx]
    mulx    r9, r8, [rsi]
    mulx    r10, rax, [rsi + 8]
    add     r9, rax
    mulx    r11, rax, [rsi + 16]
    adc     r10, rax
    mulx    r12, rax, [rsi + 24]
    adc     r11, rax
    adc     r12, 0
    MULTIPLY_ADD_ROW 1, r9, r10, r11, r12, r13
    MULTIPLY_ADD_ROW 2, r10, r11, r12, r13, r14
    MULTIPLY_ADD_ROW 3, r11, r12, r13, r14, r15
    REDUCE
.endm

// r8 ... r11 = a^2, for a in [rsi].
.macro SQUARE
    // The products of different words, once each, are t1 to t6 in r9 to r14: below 2^511, as twice it is part of a^2.
    mov     rdx, [rsi]
    mulx    r10, r9, [rsi + 8]
    mulx    r11, rax, [rsi + 16]
    add     r10, rax
    mulx    r12, rax, [rsi + 24]
    adc     r11, rax
    adc     r12, 0
    mov     rdx, [rsi + 8]
    xor     r13, r13
    mulx    rbx, rax, [rsi + 16]
    adcx    r11, rax
    adox    r12, rbx
    mulx    rbx, rax, [rsi + 24]
    adcx    r12, rax
    adox    r13, rbx
    adc     r13, 0
    mov     rdx, [rsi + 16]
    mulx    r14, rax, [rsi + 24]
    add     r13, rax
    adc     r14, 0
    // Twice that, by CF, and the squares, by OF.
    xor     r15, r15
    mov     rdx, [rsi]
    mulx    rbx, r8, rdx
    adcx    r9, r9
    adox    r9, rbx
    mov     rdx, [rsi + 8]
    mulx    rbx, rax, rdx
    adcx    r10, r10
    adox    r10, rax
    adcx    r11, r11
    adox    r11, rbx
    mov     rdx, [rsi + 16]
    mulx    rbx, rax, rdx
    adcx    r12, r12
    adox    r12, rax
    adcx    r13, r13
    adox    r13, rbx
    mov     rdx, [rsi + 24]
    mulx    rbx, rax, rdx
    adcx    r14, r14
    adox    r14, rax
    adcx    r15, r15
    adox    r15, rbx
    REDUCE
.endm

.macro STORE to
    mov     [\to], r8
    mov     [\to + 8], r9
    mov     [\to + 16], r10
    mov     [\to + 24], r11
.endm
