// Rows of a big product and of its Montgomery reduction with MULX, ADCX and ADOX; see bn_adx.h for what each does.
// Constant time: branches depend on the number of blocks alone.
//
// A row adds eight words times a whole number. It goes block by block: r8 ... r15 hold the eight words of the sum above
// what is done, and each of the eight words in turn adds its multiple of the block and sends the lowest word home.
#if defined(__x86_64__)
.intel_syntax noprefix

#define FRAME 96
#define BLOCKS qword ptr [rsp]         // still to do
#define CARRY_IN qword ptr [rsp + 8]   // 0 or 1, worth the first word of the last block of t
#define N0 qword ptr [rsp + 16]
#define CARRY byte ptr [rsp + 24]      // 0 or 1, worth the first word of the sum
#define M rsp + 32                     // the eight multipliers of a reduction

.macro FUNCTION name
    .globl  \name
    .hidden \name
    .type   \name, @function
    .p2align 5
\name:
    endbr64
.endm

.macro ENTER
    push    rbx
    push    rbp
    push    r12
    push    r13
    push    r14
    push    r15
    sub     rsp, FRAME
.endm

.macro LEAVE_
    add     rsp, FRAME
    pop     r15
    pop     r14
    pop     r13
    pop     r12
    pop     rbp
    pop     rbx
    ret
.endm

.macro LOAD_SUM
    mov     r8, [rdi]
    mov     r9, [rdi + 8]
    mov     r10, [rdi + 16]
    mov     r11, [rdi + 24]
    mov     r12, [rdi + 32]
    mov     r13, [rdi + 40]
    mov     r14, [rdi + 48]
    mov     r15, [rdi + 56]
.endm

.macro LANE i, low, high
    mulx    rbx, rax, [rsi + 8 * \i]
    adcx    \low, rax
    adox    \high, rbx
.endm

// The end of a step: the lowest word has been seen to; its register takes the carries and becomes the highest.
.macro SHIFT w0
    mov     \w0, rcx
    adox    \w0, rbx
    adcx    \w0, rcx
.endm

// w0 ... w7 += rdx times the block at rsi, but for the last high word (rbx) and the carries. rcx = 0.
.macro MUL_ADD w0, w1, w2, w3, w4, w5, w6, w7
    xor     eax, eax                // clears CF and OF
    LANE    0, \w0, \w1
    LANE    1, \w1, \w2
    LANE    2, \w2, \w3
    LANE    3, \w3, \w4
    LANE    4, \w4, \w5
    LANE    5, \w5, \w6
    LANE    6, \w6, \w7
    mulx    rbx, rax, [rsi + 56]
    adcx    \w7, rax
.endm

.macro STEP i, w0, w1, w2, w3, w4, w5, w6, w7
    mov     rdx, [rbp + 8 * \i]
    MUL_ADD \w0, \w1, \w2, \w3, \w4, \w5, \w6, \w7
    mov     [rdi + 8 * \i], \w0
    SHIFT   \w0
.endm

.macro REDUCE_STEP i, w0, w1, w2, w3, w4, w5, w6, w7
    mov     rdx, \w0
    imul    rdx, N0
    mov     [M + 8 * \i], rdx
    MUL_ADD \w0, \w1, \w2, \w3, \w4, \w5, \w6, \w7
    SHIFT   \w0
.endm

// Word i of the block at rsi times those above it: lane j is worth word i + j.
.macro SQR_STEP i, w0, w1, w2, w3, w4, w5, w6, w7
    mov     rdx, [rsi + 8 * \i]
    xor     eax, eax
.if \i < 1
    LANE    1, \w1, \w2
.endif
.if \i < 2
    LANE    2, \w2, \w3
.endif
.if \i < 3
    LANE    3, \w3, \w4
.endif
.if \i < 4
    LANE    4, \w4, \w5
.endif
.if \i < 5
    LANE    5, \w5, \w6
.endif
.if \i < 6
    LANE    6, \w6, \w7
.endif
    mulx    rbx, rax, [rsi + 56]
    adcx    \w7, rax
    mov     [rdi + 8 * \i], \w0
    SHIFT   \w0
.endm

    .text

FUNCTION tn_bn_mul_row_adx
    ENTER
    mov     BLOCKS, rdx
    mov     rbp, rcx
    xor     ecx, ecx
    mov     CARRY_IN, rcx
    mov     CARRY, cl
    xor     r8d, r8d
    xor     r9d, r9d
    xor     r10d, r10d
    xor     r11d, r11d
    xor     r12d, r12d
    xor     r13d, r13d
    xor     r14d, r14d
    xor     r15d, r15d

    .p2align 5
.Lblock:
    movzx   eax, CARRY
    add     al, 0xff                // CF
    adc     r8, [rdi]
    adc     r9, [rdi + 8]
    adc     r10, [rdi + 16]
    adc     r11, [rdi + 24]
    adc     r12, [rdi + 32]
    adc     r13, [rdi + 40]
    adc     r14, [rdi + 48]
    adc     r15, [rdi + 56]
    setc    CARRY
    STEP    0, r8, r9, r10, r11, r12, r13, r14, r15
    STEP    1, r9, r10, r11, r12, r13, r14, r15, r8
    STEP    2, r10, r11, r12, r13, r14, r15, r8, r9
    STEP    3, r11, r12, r13, r14, r15, r8, r9, r10
    STEP    4, r12, r13, r14, r15, r8, r9, r10, r11
    STEP    5, r13, r14, r15, r8, r9, r10, r11, r12
    STEP    6, r14, r15, r8, r9, r10, r11, r12, r13
    STEP    7, r15, r8, r9, r10, r11, r12, r13, r14
    add     rsi, 64
    add     rdi, 64
    dec     BLOCKS
    jnz     .Lblock

    // The last block of t: it cannot overflow from CARRY, which belongs to the product, but may from what was there.
.Llast:
    movzx   eax, CARRY
    add     al, 0xff
    adc     r8, rcx
    adc     r9, rcx
    adc     r10, rcx
    adc     r11, rcx
    adc     r12, rcx
    adc     r13, rcx
    adc     r14, rcx
    adc     r15, rcx
    mov     rax, CARRY_IN
    add     rax, -1
    adc     r8, [rdi]
    adc     r9, [rdi + 8]
    adc     r10, [rdi + 16]
    adc     r11, [rdi + 24]
    adc     r12, [rdi + 32]
    adc     r13, [rdi + 40]
    adc     r14, [rdi + 48]
    adc     r15, [rdi + 56]
    mov     eax, 0
    adc     eax, 0
    mov     [rdi], r8
    mov     [rdi + 8], r9
    mov     [rdi + 16], r10
    mov     [rdi + 24], r11
    mov     [rdi + 32], r12
    mov     [rdi + 40], r13
    mov     [rdi + 48], r14
    mov     [rdi + 56], r15
    LEAVE_
    .size   tn_bn_mul_row_adx, . - tn_bn_mul_row_adx

FUNCTION tn_bn_reduce_row_adx
    ENTER
    mov     BLOCKS, rdx
    mov     N0, rcx
    mov     CARRY_IN, r8
    xor     ecx, ecx
    mov     CARRY, cl
    LOAD_SUM
    REDUCE_STEP 0, r8, r9, r10, r11, r12, r13, r14, r15
    REDUCE_STEP 1, r9, r10, r11, r12, r13, r14, r15, r8
    REDUCE_STEP 2, r10, r11, r12, r13, r14, r15, r8, r9
    REDUCE_STEP 3, r11, r12, r13, r14, r15, r8, r9, r10
    REDUCE_STEP 4, r12, r13, r14, r15, r8, r9, r10, r11
    REDUCE_STEP 5, r13, r14, r15, r8, r9, r10, r11, r12
    REDUCE_STEP 6, r14, r15, r8, r9, r10, r11, r12, r13
    REDUCE_STEP 7, r15, r8, r9, r10, r11, r12, r13, r14
    lea     rbp, [M]
    add     rsi, 64
    add     rdi, 64
    dec     BLOCKS
    jnz     .Lblock
    jmp     .Llast
    .size   tn_bn_reduce_row_adx, . - tn_bn_reduce_row_adx

FUNCTION tn_bn_sqr_row_adx
    ENTER
    mov     BLOCKS, rdx
    xor     ecx, ecx
    mov     CARRY_IN, rcx
    mov     CARRY, cl
    mov     rbp, rsi
    LOAD_SUM
    SQR_STEP 0, r8, r9, r10, r11, r12, r13, r14, r15
    SQR_STEP 1, r9, r10, r11, r12, r13, r14, r15, r8
    SQR_STEP 2, r10, r11, r12, r13, r14, r15, r8, r9
    SQR_STEP 3, r11, r12, r13, r14, r15, r8, r9, r10
    SQR_STEP 4, r12, r13, r14, r15, r8, r9, r10, r11
    SQR_STEP 5, r13, r14, r15, r8, r9, r10, r11, r12
    SQR_STEP 6, r14, r15, r8, r9, r10, r11, r12, r13
    mov     [rdi + 56], r15
    mov     r15, rcx
    add     rsi, 64
    add     rdi, 64
    dec     BLOCKS
    jnz     .Lblock
    jmp     .Llast
    .size   tn_bn_sqr_row_adx, . - tn_bn_sqr_row_adx

.macro DOUBLE_AND_SQUARE i
    mov     rdx, [rsi + 8 * \i]
    mulx    r9, r8, rdx
    mov     r10, [rdi + 16 * \i]
    mov     r11, [rdi + 16 * \i + 8]
    adox    r10, r10
    adox    r11, r11
    adcx    r10, r8
    adcx    r11, r9
    mov     [rdi + 16 * \i], r10
    mov     [rdi + 16 * \i + 8], r11
.endm

FUNCTION tn_bn_sqr_finish_adx
    mov     rcx, rdx
    xor     eax, eax                // clears CF and OF, which from here on nothing else touches
1:
    DOUBLE_AND_SQUARE 0
    DOUBLE_AND_SQUARE 1
    DOUBLE_AND_SQUARE 2
    DOUBLE_AND_SQUARE 3
    DOUBLE_AND_SQUARE 4
    DOUBLE_AND_SQUARE 5
    DOUBLE_AND_SQUARE 6
    DOUBLE_AND_SQUARE 7
    lea     rsi, [rsi + 64]
    lea     rdi, [rdi + 128]
    lea     rcx, [rcx - 1]
    jrcxz   2f
    jmp     1b
2:
    ret
    .size   tn_bn_sqr_finish_adx, . - tn_bn_sqr_finish_adx

.macro SUBTRACT i
    mov     rax, [rsi + 8 * \i]
    sbb     rax, [rdx + 8 * \i]
    mov     [rdi + 8 * \i], rax
.endm

.macro CHOOSE i
    mov     rax, [rdi + 8 * \i]
    cmovc   rax, [rsi + 8 * \i]
    mov     [rdi + 8 * \i], rax
.endm

FUNCTION tn_bn_subtract_adx
    mov     r9, rcx
    mov     r10, rdi
    mov     r11, rsi
    xor     eax, eax                // clears CF
1:
    SUBTRACT 0
    SUBTRACT 1
    SUBTRACT 2
    SUBTRACT 3
    SUBTRACT 4
    SUBTRACT 5
    SUBTRACT 6
    SUBTRACT 7
    lea     rsi, [rsi + 64]
    lea     rdx, [rdx + 64]
    lea     rdi, [rdi + 64]
    lea     rcx, [rcx - 1]
    jrcxz   2f
    jmp     1b
2:
    sbb     r8, 0                   // CF: the difference is negative
    mov     rcx, r9
    mov     rdi, r10
    mov     rsi, r11
3:
    CHOOSE  0
    CHOOSE  1
    CHOOSE  2
    CHOOSE  3
    CHOOSE  4
    CHOOSE  5
    CHOOSE  6
    CHOOSE  7
    lea     rsi, [rsi + 64]
    lea     rdi, [rdi + 64]
    lea     rcx, [rcx - 1]
    jrcxz   4f
    jmp     3b
4:
    ret
    .size   tn_bn_subtract_adx, . - tn_bn_subtract_adx
#endif

    .section .note.GNU-stack, "", @progbits
