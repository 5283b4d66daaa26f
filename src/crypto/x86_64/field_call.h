// Calls of the fields' functions in assembly that save no registers: in a formula of several, the compiler saves once
// for all what they change.
#ifndef TN_CRYPTO_FIELD_CALL_H
#define TN_CRYPTO_FIELD_CALL_H

// `function` of the pointers r, a and b, in rdi, rsi and rdx, keeps rdi, rbp and rsp alone. The compiler takes these
// for no calls, so that there may be something in the 128 bytes below its stack pointer.
#define TN_FIELD_CALL(function, r, a, b)                                                    \
  do {                                                                                      \
    __typeof__(a) from_ = (a);                                                              \
    __typeof__(b) by_ = (b);                                                                \
    __asm__(                                                                                \
        "leaq -128(%%rsp), %%rsp\n\t"                                                       \
        "call " #function                                                                   \
        "\n\t"                                                                              \
        "leaq 128(%%rsp), %%rsp"                                                            \
        : "=m"(*(r)), "+S"(from_), "+d"(by_)                                                \
        : "D"(r), "m"(*(a)), "m"(*(b))                                                      \
        : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc"); \
  } while (0)

#endif
