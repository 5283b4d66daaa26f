// The words of a verdict.
#ifndef TN_PKI_VERDICT_H
#define TN_PKI_VERDICT_H

#include "tenon/pki.h"

// What was found wrong, and with which certificate (NULL if none could be read).
typedef struct tn_fault {
  tn_reason reason;
  unsigned depth;
  const tn_cert *cert;
} tn_fault;

void tn_verdict_good(tn_verdict *v, const tn_verify_params *params);
void tn_verdict_bad(tn_verdict *v, const tn_verify_params *params, const tn_fault *fault);

#endif
