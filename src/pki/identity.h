// What the handshake needs of an identity besides its chain.
#ifndef TN_PKI_IDENTITY_H
#define TN_PKI_IDENTITY_H

#include "tenon/pki.h"

// Lives as long as the identity.
const tn_key *tn_identity_key(const tn_identity *id);

#endif
