// RSASSA-PSS-params (RFC 4055 section 3.1): what an AlgorithmIdentifier with id-RSASSA-PSS says.
#ifndef TN_PKI_PSS_H
#define TN_PKI_PSS_H

#include "base/bytes.h"
#include "crypto/sign.h"

// Reads a whole RSASSA-PSS-params: strict DER, in which what is the default is absent. TN_E_DER, or
// TN_E_KEY_UNSUPPORTED for a hash that we do not take (SHA-1, the default, among them), and for MGF1 of another than
// the message's.
TN_MUST_USE tn_result tn_pss_params_read(tn_span der, tn_pss_params *out);
void tn_pss_params_write(tn_writer *w, const tn_pss_params *params);

#endif
