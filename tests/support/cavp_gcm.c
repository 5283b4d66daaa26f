#include "support/cavp_gcm.h"

#include <sys/stat.h>

typedef struct field {
  const char *name;
  bytes *value;
} field;

// "Name = hex"; NULL if the line is another's.
static const char *value_of(const char *line, const char *name) {
  size_t n = strlen(name);
  return strncmp(line, name, n) == 0 && strncmp(line + n, " =", 2) == 0 ? line + n + 2 + strspn(line + n + 2, " ")
                                                                        : NULL;
}

void cavp_gcm_each(const char *name, void (*check)(void *ctx, const cavp_gcm_case *c), void *ctx) {
  struct stat info;
  if (stat(TN_VECTORS, &info) != 0) {
    print_message("skipped: %s is not here\n", TN_VECTORS);
    skip();
  }
  char path[512], line[4096];
  snprintf(path, sizeof path, "%s/cavp/aes_gcm/%s", TN_VECTORS, name);
  FILE *file = fopen(path, "r");
  if (file == NULL) fail_msg("%s cannot be opened", path);
  cavp_gcm_case c = {0};
  const field fields[] = {{"Key", &c.key}, {"IV", &c.iv},     {"AAD", &c.aad},
                          {"PT", &c.text}, {"CT", &c.sealed}, {"Tag", &c.tag}};
  bool open = false;  // a case is being read
  for (;;) {
    bool more = fgets(line, sizeof line, file) != NULL;
    if (more) line[strcspn(line, "\r\n")] = 0;
    if (more && line[0] != 0) {
      open |= value_of(line, "Count") != NULL;
      c.fails |= strcmp(line, "FAIL") == 0;
      for (size_t i = 0; i < COUNT(fields); i++) {
        const char *hex = value_of(line, fields[i].name);
        if (hex != NULL) *fields[i].value = bytes_from_hex(hex);
      }
      continue;
    }
    if (open) check(ctx, &c);  // an empty line or the end of the file ends a case
    for (size_t i = 0; i < COUNT(fields); i++) bytes_free(fields[i].value);
    c.fails = open = false;
    if (!more) break;
  }
  fclose(file);
}
