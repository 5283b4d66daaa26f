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

// Short names for IANA's, which begin so.
static const struct {
  const char *iana, *name;
} schemes[] = {
    {"ecdsa_secp256r1_", "ecdsa-p256"},
    {"ecdsa_secp384r1_", "ecdsa-p384"},
    {"ecdsa_secp521r1_", "ecdsa-p521"},
    {"rsa_pkcs1_", "rsa"},
    {"rsa_pss_", "rsa-pss"},
};

static void name_of(const tn_sign_scheme *scheme, char name[TN_SPEED_SIGNER_NAME]) {
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    if (strncmp(scheme->name, schemes[i].iana, strlen(schemes[i].iana)) != 0) continue;
    snprintf(name, TN_SPEED_SIGNER_NAME, "%s", schemes[i].name);
    return;
  }
  snprintf(name, TN_SPEED_SIGNER_NAME, "%s", scheme->name);
}

static bool is_listed(const tn_speed_signer *signers, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(signers[i].name, name) == 0) return true;
  return false;
}

size_t tn_speed_signers_list(tn_speed_signer signers[TN_SPEED_SIGNERS]) {
  size_t n = 0;
  for (const tn_sign_scheme *const *s = tn_sign_schemes; *s != NULL; s++) {
    char name[TN_SPEED_SIGNER_NAME];
    if ((*s)->id == 0) continue;
    name_of(*s, name);
    if (is_listed(signers, n, name) || n == TN_SPEED_SIGNERS) continue;
    signers[n] = (tn_speed_signer){.scheme = *s};
    snprintf(signers[n++].name, TN_SPEED_SIGNER_NAME, "%s", name);
  }
  return n;
}
