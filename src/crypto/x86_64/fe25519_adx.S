// The field of integers modulo p = 2^255 - 19 in four 64-bit words, and what is made of it on Curve25519, with MULX,
// ADCX and ADOX. Constant time: no branch on data, no table.
//
//   void tn_fe25519_mul_adx(fe *r, const fe *a, const fe *b);
//   void tn_fe25519_sqr_times_adx(fe *r, const fe *a, unsigned n);                  r = a^(2^n), n >= 1
//   void tn_fe25519_add_adx(fe *r, const fe *a, const fe *b);
//   void tn_fe25519_sub_adx(fe *r, const fe *a, const fe *b);
//   void tn_x25519_steps_adx(ladder *l, const uint64_t changes[4]);                 x25519_ladder.h
//   void tn_edwards25519_double_adx(point *p, unsigned with_t);                     edwards25519_point.h
//   void tn_edwards25519_add_affine_adx(point *p, const affine *q);
//   void tn_edwards25519_add_cached_adx(point *p, const cached *q);
//
// Any element may be any number below 2^256, but for the b of a sum or a difference, which is at most 2p = 2^256 - 38.
// Products (below 2^255 + 2^24) and differences a - b of an a of at most 2p are. Outputs may be inputs.
#if defined(__x86_64__)
.intel_syntax noprefix

.macro PROLOGUE name
.text
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
.endm

.macro EPILOGUE name
    pop     r15
    pop     r14
    pop     r13
    pop     r12
    pop     rbp
    pop     rbx
    ret
.size \name, . - \name
.endm

// Operands are addresses: d the result, a and b. All macros change rax, rbx, rdx, rbp, r8 to r15 and nothing else.

// d = r8 ... r12, where r12 < 2^19. What is above bit 255 counts 19 times: below 2^255 + 19 2^20.
.macro FOLD_AND_STORE d
    add     r11, r11
    adc     r12, r12
    shr     r11, 1
    imul    r12, r12, 19
    add     r8, r12
    adc     r9, 0
    adc     r10, 0
    adc     r11, 0
    mov     [\d], r8
    mov     [\d + 8], r9
    mov     [\d + 16], r10
    mov     [\d + 24], r11
.endm

// d = r8 ... r15: 2^256 = 38, and the sum of the low half and 38 times the high half is below 39 2^256.
.macro REDUCE_AND_STORE d
    mov     edx, 38
    xor     ebp, ebp                // clears CF and OF
    mulx    rbx, rax, r12
    adcx    r8, rax
    adox    r9, rbx
    mulx    rbx, rax, r13
    adcx    r9, rax
    adox    r10, rbx
    mulx    rbx, rax, r14
    adcx    r10, rax
    adox    r11, rbx
    mulx    r12, rax, r15
    adcx    r11, rax
    adox    r12, rbp
    adcx    r12, rbp
    FOLD_AND_STORE \d
.endm

// (w0 ... w4) += a b_i. No partial sum has more than its five words.
.macro MULTIPLY_ADD_ROW a, bi, w0, w1, w2, w3, w4
    mov     rdx, [\bi]
    xor     \w4, \w4                // clears CF and OF
    mulx    rbx, rax, [\a]
    adcx    \w0, rax
    adox    \w1, rbx
    mulx    rbx, rax, [\a + 8]
    adcx    \w1, rax
    adox    \w2, rbx
    mulx    rbx, rax, [\a + 16]
    adcx    \w2, rax
    adox    \w3, rbx
    mulx    rbx, rax, [\a + 24]
    adcx    \w3, rax
    adox    \w4, rbx
    adc     \w4, 0
.endm

.macro MULTIPLY d, a, b
    mov     rdx, [\b]
    mulx    r9, r8, [\a]
    mulx    r10, rax, [\a + 8]
    add     r9, rax
    mulx    r11, rax, [\a + 16]
    adc     r10, rax
    mulx    r12, rax, [\a + 24]
    adc     r11, rax
    adc     r12, 0
    MULTIPLY_ADD_ROW \a, \b + 8, r9, r10, r11, r12, r13
    MULTIPLY_ADD_ROW \a, \b + 16, r10, r11, r12, r13, r14
    MULTIPLY_ADD_ROW \a, \b + 24, r11, r12, r13, r14, r15
    REDUCE_AND_STORE \d
.endm

// The products of different words, once each, are t1 to t6 in r9 to r14; then twice that, by CF, and the squares, by
// OF.
.macro SQUARE d, a
    mov     rdx, [\a]
    mulx    r10, r9, [\a + 8]
    mulx    r11, rax, [\a + 16]
    add     r10, rax
    mulx    r12, rax, [\a + 24]
    adc     r11, rax
    adc     r12, 0
    mov     rdx, [\a + 8]
    xor     r13, r13
    mulx    rbx, rax, [\a + 16]
    adcx    r11, rax
    adox    r12, rbx
    mulx    rbx, rax, [\a + 24]
    adcx    r12, rax
    adox    r13, rbx
    adc     r13, 0
    mov     rdx, [\a + 16]
    mulx    r14, rax, [\a + 24]
    add     r13, rax
    adc     r14, 0
    xor     r15, r15
    mov     rdx, [\a]
    mulx    rbx, r8, rdx
    adcx    r9, r9
    adox    r9, rbx
    mov     rdx, [\a + 8]
    mulx    rbx, rax, rdx
    adcx    r10, r10
    adox    r10, rax
    adcx    r11, r11
    adox    r11, rbx
    mov     rdx, [\a + 16]
    mulx    rbx, rax, rdx
    adcx    r12, r12
    adox    r12, rax
    adcx    r13, r13
    adox    r13, rbx
    mov     rdx, [\a + 24]
    mulx    rbx, rax, rdx
    adcx    r14, r14
    adox    r14, rax
    adcx    r15, r15
    adox    r15, rbx
    REDUCE_AND_STORE \d
.endm

// A carry out of the four words is worth 38. There is no second one: a + b < 2^256 + 2^256 - 38.
.macro ADD_FE d, a, b
    mov     r8, [\a]
    mov     r9, [\a + 8]
    mov     r10, [\a + 16]
    mov     r11, [\a + 24]
    add     r8, [\b]
    adc     r9, [\b + 8]
    adc     r10, [\b + 16]
    adc     r11, [\b + 24]
    sbb     rax, rax
    and     eax, 38
    add     r8, rax
    adc     r9, 0
    adc     r10, 0
    adc     r11, 0
    mov     [\d], r8
    mov     [\d + 8], r9
    mov     [\d + 16], r10
    mov     [\d + 24], r11
.endm

// A borrow adds 2^256 - 38. That is enough: a - b >= -(2^256 - 38).
.macro SUB_FE d, a, b
    mov     r8, [\a]
    mov     r9, [\a + 8]
    mov     r10, [\a + 16]
    mov     r11, [\a + 24]
    sub     r8, [\b]
    sbb     r9, [\b + 8]
    sbb     r10, [\b + 16]
    sbb     r11, [\b + 24]
    sbb     rax, rax
    and     eax, 38
    sub     r8, rax
    sbb     r9, 0
    sbb     r10, 0
    sbb     r11, 0
    mov     [\d], r8
    mov     [\d + 8], r9
    mov     [\d + 16], r10
    mov     [\d + 24], r11
.endm

// d = 121665 a + c: below 2^17 2^256.
.macro MULTIPLY_SMALL_ADD d, a, c
    mov     edx, 121665             // (A - 2) / 4
    mulx    r9, r8, [\a]
    mulx    r10, rax, [\a + 8]
    add     r9, rax
    mulx    r11, rax, [\a + 16]
    adc     r10, rax
    mulx    r12, rax, [\a + 24]
    adc     r11, rax
    adc     r12, 0
    add     r8, [\c]
    adc     r9, [\c + 8]
    adc     r10, [\c + 16]
    adc     r11, [\c + 24]
    adc     r12, 0
    FOLD_AND_STORE \d
.endm

// d = b where CF is set, else a. Changes rax alone, and no flag.
.macro SELECT_FE d, a, b
.irp offset, 0, 8, 16, 24
    mov     rax, [\a + \offset]
    cmovc   rax, [\b + \offset]
    mov     [\d + \offset], rax
.endr
.endm

// ---------------------------------------------------------------- the field

PROLOGUE tn_fe25519_mul_adx
    mov     rcx, rdx
    MULTIPLY rdi, rsi, rcx
EPILOGUE tn_fe25519_mul_adx

PROLOGUE tn_fe25519_sqr_times_adx
    mov     ecx, edx
0:  SQUARE  rdi, rsi
    mov     rsi, rdi
    dec     ecx
    jnz     0b
EPILOGUE tn_fe25519_sqr_times_adx

PROLOGUE tn_fe25519_add_adx
    ADD_FE  rdi, rsi, rdx
EPILOGUE tn_fe25519_add_adx

PROLOGUE tn_fe25519_sub_adx
    SUB_FE  rdi, rsi, rdx
EPILOGUE tn_fe25519_sub_adx

// ---------------------------------------------------------------- the Montgomery ladder's steps

#define X1 rdi
#define X2 rdi + 32
#define Z2 rdi + 64
#define X3 rdi + 96
#define Z3 rdi + 128
#define A  rdi + 160
#define B  rdi + 192
#define C  rdi + 224
#define D  rdi + 256
#define AA rdi + 288
#define BB rdi + 320

PROLOGUE tn_x25519_steps_adx
    mov     ecx, 254
0:  ADD_FE  A, X2, Z2
    SUB_FE  B, X2, Z2
    ADD_FE  C, X3, Z3
    SUB_FE  D, X3, Z3
    MULTIPLY X3, D, A
    MULTIPLY Z3, C, B
    mov     eax, ecx
    shr     eax, 6
    mov     rax, [rsi + 8 * rax]
    bt      rax, rcx                // bit rcx mod 64
    SELECT_FE A, A, C
    SELECT_FE B, B, D
    SQUARE  AA, A
    SQUARE  BB, B
    ADD_FE  C, X3, Z3
    SUB_FE  D, X3, Z3
    SUB_FE  B, AA, BB
    SQUARE  X3, C
    SQUARE  D, D
    MULTIPLY_SMALL_ADD A, B, AA
    MULTIPLY X2, AA, BB
    MULTIPLY Z3, D, X1
    MULTIPLY Z2, A, B
    dec     ecx
    jns     0b
EPILOGUE tn_x25519_steps_adx

// ---------------------------------------------------------------- Edwards points

#undef A
#undef B
#undef C
#undef D
#undef X1
#define X  rdi
#define Y  rdi + 32
#define Z  rdi + 64
#define T  rdi + 96
#define E  rsp
#define F  rsp + 32
#define G  rsp + 64
#define H  rsp + 96

PROLOGUE tn_edwards25519_double_adx
    sub     rsp, 128
    ADD_FE  E, X, Y
    SQUARE  X, X
    SQUARE  Y, Y
    SQUARE  Z, Z
    SQUARE  E, E
    ADD_FE  H, X, Y
    SUB_FE  E, H, E                 // -2 x y
    SUB_FE  G, X, Y
    ADD_FE  F, Z, Z
    ADD_FE  F, F, G
    MULTIPLY X, E, F
    MULTIPLY Y, G, H
    MULTIPLY Z, F, G
    test    esi, esi
    jz      0f
    MULTIPLY T, E, H
0:  add     rsp, 128
EPILOGUE tn_edwards25519_double_adx

// From the products (Y - X) y_minus_x in E, (Y + X) y_plus_x in H, T t2d in F and 2 Z z in G.
.macro FINISH_ADDITION
    SUB_FE  X, H, E
    ADD_FE  H, H, E
    ADD_FE  Y, G, F
    SUB_FE  F, G, F
    MULTIPLY T, X, H
    MULTIPLY Z, F, Y
    MULTIPLY X, X, F
    MULTIPLY Y, Y, H
    add     rsp, 128
.endm

PROLOGUE tn_edwards25519_add_affine_adx
    sub     rsp, 128
    SUB_FE  E, Y, X
    ADD_FE  H, Y, X
    MULTIPLY E, E, rsi + 32
    MULTIPLY H, H, rsi
    MULTIPLY F, T, rsi + 64
    ADD_FE  G, Z, Z
    FINISH_ADDITION
EPILOGUE tn_edwards25519_add_affine_adx

PROLOGUE tn_edwards25519_add_cached_adx
    sub     rsp, 128
    SUB_FE  E, Y, X
    ADD_FE  H, Y, X
    MULTIPLY E, E, rsi + 32
    MULTIPLY H, H, rsi
    MULTIPLY F, T, rsi + 64
    MULTIPLY G, Z, rsi + 96
    FINISH_ADDITION
EPILOGUE tn_edwards25519_add_cached_adx
#endif
.section .note.GNU-stack, "", @progbits
