#include "cli/speed_names.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

#define NAME 48

// Names that say what is computed, where IANA's says which curve.
static const struct {
  const char *iana, *name;
} groups[] = {{"secp256r1", "ecdh-p256"}, {"secp384r1", "ecdh-p384"}, {"secp521r1", "ecdh-p521"}};

const char *tn_speed_group_name(const tn_group *group) {
  static char name[NAME];
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    if (strcmp(groups[i].iana, group->name) == 0) return groups[i].name;
  snprintf(name, sizeof name, "%s", group->name);
  for (char *c = name; *c != 0; c++) *c = (char)tn_ascii_lower((uint8_t)*c);
  return name;
}

const char *tn_speed_group_path(const tn_group *group) {
  static char both[NAME];
  if (group->half == NULL) return group->path();
  snprintf(both, sizeof both, "%s+%s", group->path(), group->half->path());
  return both;
}

// Short names for IANA's, which begin so. RSA's come with the bits of a key.
static const struct {
  const char *iana, *name;
  bool makes_keys;
} schemes[] = {
    {"ecdsa_secp256r1_", "ecdsa-p256", false}, {"ecdsa_secp384r1_", "ecdsa-p384", false},
    {"ecdsa_secp521r1_", "ecdsa-p521", false}, {"rsa_pkcs1_", "rsa", true},
    {"rsa_pss_rsae_", "rsa-pss", false},       {"rsa_pss_pss_", "rsa-pss", false},
};

static tn_speed_signer signer_of(const tn_sign_scheme *scheme, size_t bits) {
  tn_speed_signer signer = {scheme, bits, "", true};
  const char *name = scheme->name;
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    if (strncmp(scheme->name, schemes[i].iana, strlen(schemes[i].iana)) != 0) continue;
    name = schemes[i].name;
    signer.makes_keys = schemes[i].makes_keys;
  }
  if (bits == 0)
    snprintf(signer.name, sizeof signer.name, "%s", name);
  else
    snprintf(signer.name, sizeof signer.name, "%s-%zu", name, bits);
  return signer;
}

static bool is_rsa(const tn_sign_scheme *scheme) { return strncmp(scheme->name, "rsa_", 4) == 0; }

static bool is_listed(const tn_speed_signer *signers, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(signers[i].name, name) == 0) return true;
  return false;
}

size_t tn_speed_signers_list(tn_speed_signer signers[TN_SPEED_SIGNERS]) {
  static const size_t rsa[] = {2048, 3072, 4096, 0}, others[] = {0};
  size_t n = 0;
  for (const tn_sign_scheme *const *s = tn_sign_schemes; *s != NULL; s++) {
    const size_t *bits = is_rsa(*s) ? rsa : others;
    if ((*s)->id == 0) continue;
    do {
      const tn_speed_signer signer = signer_of(*s, *bits);
      if (n < TN_SPEED_SIGNERS && !is_listed(signers, n, signer.name)) signers[n++] = signer;
    } while (*bits != 0 && *++bits != 0);
  }
  return n;
}
