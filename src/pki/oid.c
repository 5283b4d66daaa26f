#include "pki/oid.h"

#include "base/mem.h"

typedef struct {
  tn_span contents;
  const char *words;
} oid_row;

#define ROW(name, words, encoding) [TN_OID_##name] = {{(const uint8_t *)(encoding), sizeof(encoding) - 1}, words},
static const oid_row rows[TN_OID_COUNT] = {[TN_OID_UNKNOWN] = {{NULL, 0}, "unknown"}, TN_OIDS(ROW)};

tn_oid tn_oid_find(tn_span contents) {
  for (unsigned i = TN_OID_UNKNOWN + 1; i < TN_OID_COUNT; i++)
    if (tn_span_equal_vartime(rows[i].contents, contents)) return (tn_oid)i;
  return TN_OID_UNKNOWN;
}

tn_span tn_oid_contents(tn_oid oid) { return rows[oid].contents; }

const char *tn_oid_words(tn_oid oid) { return rows[oid].words; }
