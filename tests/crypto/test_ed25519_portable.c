#include "crypto/ec/edwards25519_portable.c"

#define IMPL tn_edwards25519_portable

#include "fe25519_edges.h"

#include "ed25519_internals.h"
