// Multiplication and squaring modulo p = 2^256 - 2^224 + 2^192 + 2^96 - 1 with MULX, ADCX and ADOX.
// Montgomery's form: the result is a b / 2^256 mod p, in [0, p), for a, b < p. Constant time: no branch, no table.
//
//   void tn_p256_fe_mul_adx(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]);
//   void tn_p256_fe_sqr_adx(uint64_t r[4], const uint64_t a[4]);
//
// r may be a or b: both are read before r is written.
#if defined(__x86_64__)
.intel_syntax noprefix

// One step of Montgomery's reduction. The number w0 ... w3 becomes (it + m p) / 2^64, in w1, w2, w3, w4, for the m that
// clears its lowest word. As -1/p = 1 mod 2^64, m = w0, and m p = m P3 2^192 + m 2^96 - m, where P3 = 2^64 - 2^32 + 1.
// rcx = 32, rsi = P3; changes rax, rbx, rdx.
// The number stays below 2^256: from a number below 2^256, after any step, it is at most max(2^256 - 1, p).
.macro REDUCE_WORD w0, w1, w2, w3, w4
    mov     rdx, \w0
    mov     rax, \w0
    shl     rax, 32
    shrx    rbx, rdx, rcx
    add     \w1, rax
    adc     \w2, rbx
    mulx    \w4, rax, rsi
    adc     \w3, rax
    adc     \w4, 0
.endm

// r = (h0 ... h3) + (w0 ... w3 reduced), less p if that is p or more. Precondition: the product is at most (p - 1)^2, so
// that the sum is below 2p (the reduced low half is at most p, the high half at most p - 2). w4 is free.
.macro REDUCE_AND_STORE w0, w1, w2, w3, w4, h0, h1, h2, h3
    mov     ecx, 32
    mov     rsi, 0xffffffff00000001
    REDUCE_WORD \w0, \w1, \w2, \w3, \w4
    REDUCE_WORD \w1, \w2, \w3, \w4, \w0
    REDUCE_WORD \w2, \w3, \w4, \w0, \w1
    REDUCE_WORD \w3, \w4, \w0, \w1, \w2
    add     \h0, \w4
    adc     \h1, \w0
    adc     \h2, \w1
    adc     \h3, \w2
    sbb     rdx, rdx                // -1 if the sum has a 257th bit
    mov     \w4, \h0
    mov     \w0, \h1
    mov     \w1, \h2
    mov     \w2, \h3
    mov     eax, 0xffffffff
    sub     \w4, -1                 // less p, whose words are -1, 2^32 - 1, 0, P3
    sbb     \w0, rax
    sbb     \w1, 0
    sbb     \w2, rsi
    sbb     rdx, 0                  // CF = 1 only if the sum was below p
    cmovc   \w4, \h0
    cmovc   \w0, \h1
    cmovc   \w1, \h2
    cmovc   \w2, \h3
    mov     [rdi], \w4
    mov     [rdi + 8], \w0
    mov     [rdi + 16], \w1
    mov     [rdi + 24], \w2
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

.text
.globl tn_p256_fe_mul_adx
.hidden tn_p256_fe_mul_adx
.type tn_p256_fe_mul_adx, @function
.balign 32
tn_p256_fe_mul_adx:
    endbr64
    push    rbx
    push    rbp
    push    r12
    push    r13
    push    r14
    push    r15
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
    REDUCE_AND_STORE r8, r9, r10, r11, rbp, r12, r13, r14, r15
    jmp     leave
.size tn_p256_fe_mul_adx, . - tn_p256_fe_mul_adx

.globl tn_p256_fe_sqr_adx
.hidden tn_p256_fe_sqr_adx
.type tn_p256_fe_sqr_adx, @function
.balign 32
tn_p256_fe_sqr_adx:
    endbr64
    push    rbx
    push    rbp
    push    r12
    push    r13
    push    r14
    push    r15
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
    REDUCE_AND_STORE r8, r9, r10, r11, rbp, r12, r13, r14, r15
leave:
    pop     r15
    pop     r14
    pop     r13
    pop     r12
    pop     rbp
    pop     rbx
    ret
.size tn_p256_fe_sqr_adx, . - tn_p256_fe_sqr_adx
#endif
.section .note.GNU-stack, "", @progbits
