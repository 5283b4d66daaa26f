// Calls of the fields' functions in assembly that save no registers: in a formula of several, the compiler saves once
// for all what they change.
#ifndef TN_CRYPTO_FIELD_CALL_H
#define TN_CRYPTO_FIELD_CALL_H

// `function` of the pointers r, a and b, in rdi, rsi and rdx, keeps rdi, rbp and rsp alone. The compiler takes these
// for no calls, so that there may be something in the 128 bytes below its stack pointer. (Operands of memory would need
// registers of their own for their addresses, where none is left.)
#define TN_FIELD_CALL(function, r, a, b)                                                              \
  do {                                                                                                \
    __typeof__(a) from_ = (a);                                                                        \
    __typeof__(b) by_ = (b);                                                                          \
    __asm__ volatile(                                                                                 \
        "leaq -128(%%rsp), %%rsp\n\t"                                                                 \
        "call " #function                                                                             \
        "\n\t"                                                                                        \
        "leaq 128(%%rsp), %%rsp"                                                                      \
        : "+S"(from_), "+d"(by_)                                                                      \
        : "D"(r)                                                                                      \
        : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory"); \
  } while (0)

#endif
