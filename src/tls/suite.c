#include "tls/suite.h"

#include "tenon/tls.h"

// RFC 9846, appendix B.4.
const tn_suite tn_suites[TN_SUITE_COUNT] = {
    {0x1301, "TLS_AES_128_GCM_SHA256", &tn_sha256, &tn_aes_128_gcm},
    {0x1302, "TLS_AES_256_GCM_SHA384", &tn_sha384, &tn_aes_256_gcm},
    {0x1303, "TLS_CHACHA20_POLY1305_SHA256", &tn_sha256, &tn_chacha20_poly1305},
};

const tn_suite *tn_suite_find(uint16_t id) {
  for (size_t i = 0; i < TN_SUITE_COUNT; i++)
    if (tn_suites[i].id == id) return &tn_suites[i];
  return NULL;
}

bool tn_suite_at(size_t i, uint16_t *id, const char **name) {
  if (i >= TN_SUITE_COUNT) return false;
  *id = tn_suites[i].id;
  *name = tn_suites[i].name;
  return true;
}
