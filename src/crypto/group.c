#include "crypto/group.h"

const tn_group *const tn_groups[] = {
    &tn_group_x25519_mlkem768,
    &tn_group_x25519,
    &tn_group_secp256r1,
    &tn_group_secp384r1,
    &tn_group_secp521r1,
    &tn_group_secp256r1_mlkem768,
    &tn_group_secp384r1_mlkem1024,
    &tn_group_ffdhe2048,
    &tn_group_ffdhe3072,
    &tn_group_ffdhe4096,
    &tn_group_ffdhe6144,
    &tn_group_ffdhe8192,
    NULL,
};

const tn_group *tn_group_find(uint16_t id) {
  for (const tn_group *const *group = tn_groups; *group != NULL; group++)
    if ((*group)->id == id) return *group;
  return NULL;
}
