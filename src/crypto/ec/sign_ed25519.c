// The signature scheme of Ed25519: RFC 8446 section 4.2.3, RFC 8410.
#include "base/mem.h"
#include "crypto/ec/ed25519.h"
#include "crypto/ec/edwards25519.h"
#include "crypto/sign.h"

static tn_result sign(const tn_rng *rng, const tn_secret_key *key, tn_span msg, uint8_t *sig, size_t *sig_len) {
  (void)rng;  // deterministic
  TN_ENSURE(key->type == TN_KEY_ED25519, TN_E_KEY_UNSUPPORTED);
  TN_ENSURE(*sig_len >= TN_ED25519_SIG_LEN, TN_E_NO_SPACE);
  TN_TRY(tn_ed25519_sign(key->scalar, key->point, msg, sig));
  *sig_len = TN_ED25519_SIG_LEN;
  return tn_success();
}

static tn_result verify(const tn_public_key *key, tn_span msg, tn_span sig) {
  TN_ENSURE(key->type == TN_KEY_ED25519, TN_E_KEY_UNSUPPORTED);
  return tn_ed25519_verify_vartime(key->point, msg, sig);
}

static const char *path(void) { return tn_edwards25519_impl_of()->path; }

const tn_sign_scheme tn_ed25519 = {
    .name = "ed25519",
    .id = 0x0807,
    .key_type = TN_KEY_ED25519,
    .hash = &tn_sha512,
    .sign = sign,
    .verify = verify,
    .path = path,
};
