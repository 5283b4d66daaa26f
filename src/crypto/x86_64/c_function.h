// For assembly: a function for C around `body`, which saves no registers and leaves rdi, rbp and rsp alone.
#ifndef TN_CRYPTO_C_FUNCTION_H
#define TN_CRYPTO_C_FUNCTION_H

.macro C_FUNCTION name, body
.globl \name
.hidden \name
.type \name, @function
.balign 32
\name:
    endbr64
    push    rbx
    push    r12
    push    r13
    push    r14
    push    r15
    call    \body
    pop     r15
    pop     r14
    pop     r13
    pop     r12
    pop     rbx
    ret
.size \name, . - \name
.endm

#endif
