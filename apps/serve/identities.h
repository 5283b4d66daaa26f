// The certificates that the server answers with.
#ifndef TN_SERVE_IDENTITIES_H
#define TN_SERVE_IDENTITIES_H

#include "serve/options.h"
#include "tenon/tls.h"

// Adds to the configuration what -C and -K name, each key with the certificates whose public key it has; without -C,
// a self-signed certificate that is made here. 0, or 1 after an error that was reported.
int tn_serve_add_identities(const tn_serve_options *options, tn_config *config);

// A P-256 key and a certificate for localhost, this host's name, and the addresses that are listened on; reported on
// standard error with its fingerprint.
TN_MUST_USE tn_result tn_serve_self_signed(const tn_option_list *addresses, int64_t now, tn_identity **out);

#endif
