#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void *tn_alloc(const tn_allocator *a, size_t n) {
  if (n == 0) return NULL;
  if (a == NULL) return calloc(1, n);
  void *p = a->allocate(a->ctx, n);
  if (p != NULL) memset(p, 0, n);
  return p;
}

void tn_release(const tn_allocator *a, void *p, size_t n) {
  if (p == NULL) return;
  tn_wipe(p, n);
  if (a == NULL)
    free(p);
  else
    a->release(a->ctx, p, n);
}

void *tn_duplicate(const tn_allocator *a, const void *p, size_t n) {
  void *copy = tn_alloc(a, n);
  if (copy != NULL) memcpy(copy, p, n);
  return copy;
}

void tn_copy(void *to, const void *from, size_t n) {
  if (n != 0) memmove(to, from, n);
}

bool tn_equal_vartime(const void *a, const void *b, size_t n) { return n == 0 || memcmp(a, b, n) == 0; }

bool tn_span_equal_nocase_vartime(tn_span a, tn_span b) {
  if (a.n != b.n) return false;
  for (size_t i = 0; i < a.n; i++)
    if (tn_ascii_lower(a.p[i]) != tn_ascii_lower(b.p[i])) return false;
  return true;
}

void tn_wipe(void *p, size_t n) {
  if (n == 0) return;
  memset(p, 0, n);
  __asm__ volatile("" : : "r"(p) : "memory");
}

#if defined(__x86_64__)
// Written out, since a compiler's frame has places that it leaves as they were, for alignment and for its own
// registers.
__attribute__((naked, noinline)) void tn_wipe_stack(void) {
  __asm__(
      "subq %0, %%rsp\n\t"
      "movq %%rsp, %%rdi\n\t"
      "xorl %%eax, %%eax\n\t"
      "movl %1, %%ecx\n\t"
      "rep stosq\n\t"  // leaves rdi where rsp was
      "movq %%rdi, %%rsp\n\t"
      "ret"
      :
      : "i"(TN_STACK_WIPED), "i"(TN_STACK_WIPED / 8));
}
#else
__attribute__((noinline)) void tn_wipe_stack(void) {
  uint8_t below[TN_STACK_WIPED];
  tn_wipe(below, sizeof below);
}
#endif

void tn_wipe_vectors(void) {
#if defined(__x86_64__)
  __asm__ volatile(
      "pxor %%xmm0, %%xmm0\n\tpxor %%xmm1, %%xmm1\n\tpxor %%xmm2, %%xmm2\n\tpxor %%xmm3, %%xmm3\n\t"
      "pxor %%xmm4, %%xmm4\n\tpxor %%xmm5, %%xmm5\n\tpxor %%xmm6, %%xmm6\n\tpxor %%xmm7, %%xmm7\n\t"
      "pxor %%xmm8, %%xmm8\n\tpxor %%xmm9, %%xmm9\n\tpxor %%xmm10, %%xmm10\n\tpxor %%xmm11, %%xmm11\n\t"
      "pxor %%xmm12, %%xmm12\n\tpxor %%xmm13, %%xmm13\n\tpxor %%xmm14, %%xmm14\n\tpxor %%xmm15, %%xmm15"
      :
      :
      : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
        "xmm13", "xmm14", "xmm15");
#endif
}

#if defined(__x86_64__)
// Zeroing a 128-bit register by a VEX or EVEX instruction zeros all of it.
void tn_wipe_vectors_avx(void) {
  __asm__ volatile("vzeroall"
                   :
                   :
                   : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                     "xmm12", "xmm13", "xmm14", "xmm15");
}

void tn_wipe_vectors_avx512(void) {
  // Not in the list of what changes, which code compiled without AVX-512 cannot name: registers 16 to 31, k0 to k7.
  __asm__ volatile(
      "vpxord %%xmm16, %%xmm16, %%xmm16\n\tvpxord %%xmm17, %%xmm17, %%xmm17\n\t"
      "vpxord %%xmm18, %%xmm18, %%xmm18\n\tvpxord %%xmm19, %%xmm19, %%xmm19\n\t"
      "vpxord %%xmm20, %%xmm20, %%xmm20\n\tvpxord %%xmm21, %%xmm21, %%xmm21\n\t"
      "vpxord %%xmm22, %%xmm22, %%xmm22\n\tvpxord %%xmm23, %%xmm23, %%xmm23\n\t"
      "vpxord %%xmm24, %%xmm24, %%xmm24\n\tvpxord %%xmm25, %%xmm25, %%xmm25\n\t"
      "vpxord %%xmm26, %%xmm26, %%xmm26\n\tvpxord %%xmm27, %%xmm27, %%xmm27\n\t"
      "vpxord %%xmm28, %%xmm28, %%xmm28\n\tvpxord %%xmm29, %%xmm29, %%xmm29\n\t"
      "vpxord %%xmm30, %%xmm30, %%xmm30\n\tvpxord %%xmm31, %%xmm31, %%xmm31\n\t"
      "kxorq %%k0, %%k0, %%k0\n\tkxorq %%k1, %%k1, %%k1\n\tkxorq %%k2, %%k2, %%k2\n\tkxorq %%k3, %%k3, %%k3\n\t"
      "kxorq %%k4, %%k4, %%k4\n\tkxorq %%k5, %%k5, %%k5\n\tkxorq %%k6, %%k6, %%k6\n\tkxorq %%k7, %%k7, %%k7"
      :
      :
      : "memory");
  tn_wipe_vectors_avx();
}
#else
void tn_wipe_vectors_avx(void) {}
void tn_wipe_vectors_avx512(void) {}
#endif
