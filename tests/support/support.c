#include "support/support.h"

#include <sys/stat.h>

#include "base/cpu.h"

// A test at a level of TENON_CPU above this processor's would run the level below once more: it is skipped instead.
__attribute__((constructor)) static void skip_levels_above_this_processor(void) {
  const char *level = getenv("TENON_CPU");
  if (level == NULL || strcmp(level, tn_cpu_level_name()) == 0) return;
  printf("skipped: this processor has nothing of level %s\n", level);
  exit(77);
}

static int nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bytes bytes_from_hex(const char *hex) {
  bytes b = {malloc(strlen(hex) / 2 + 1), 0};
  int high = -1;
  for (const char *c = hex; *c != 0; c++) {
    if (*c == ' ' || *c == '\n') continue;
    int v = nibble(*c);
    if (v < 0) fail_msg("not hex: %s", hex);
    if (high < 0) {
      high = v;
    } else {
      b.p[b.n++] = (uint8_t)(high << 4 | v);
      high = -1;
    }
  }
  if (high >= 0) fail_msg("an odd number of hex digits: %s", hex);
  return b;
}

void bytes_free(bytes *b) {
  free(b->p);
  *b = (bytes){0};
}

bytes json_hex(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  if (text == NULL) fail_msg("no string '%s' in a vector", key);
  return bytes_from_hex(text);
}

void vectors_path(const char *path, char *full, size_t room) {
  struct stat info;
  if (stat(TN_VECTORS, &info) != 0) {
    print_message("skipped: %s is not here\n", TN_VECTORS);
    skip();
  }
  snprintf(full, room, "%s/%s", TN_VECTORS, path);
}

json_t *vectors_load(const char *path) {
  char full[512];
  vectors_path(path, full, sizeof full);
  json_error_t error;
  json_t *root = json_load_file(full, 0, &error);
  if (root == NULL) fail_msg("%s: %s", full, error.text);
  return root;
}

// SplitMix64.
uint64_t test_rng_next(test_rng *r) {
  uint64_t z = r->state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void test_rng_bytes(test_rng *r, void *out, size_t n) {
  uint8_t *p = out;
  for (size_t i = 0; i < n; i++) p[i] = (uint8_t)test_rng_next(r);
}

static tn_result fill(void *ctx, uint8_t *out, size_t n) {
  test_rng_bytes(ctx, out, n);
  return tn_success();
}

tn_rng test_rng_as_rng(test_rng *r) { return (tn_rng){fill, r}; }
