// Trust anchors as verification looks them up.
#ifndef TN_PKI_TRUST_H
#define TN_PKI_TRUST_H

#include "tenon/pki.h"

// The anchors with this subject, one by one. Start with *at = 0; NULL at the end. A NULL trust has none.
const tn_cert *tn_trust_next(const tn_trust *t, tn_span subject, size_t *at);
// Whether this very certificate is an anchor.
bool tn_trust_has(const tn_trust *t, const tn_cert *cert);

#endif
