#include "support/rsp.h"

#define MAX_PAIRS 32

typedef struct {
  size_t n;
  char *name[MAX_PAIRS];
  char *value[MAX_PAIRS];
} pairs;

struct rsp {
  FILE *file;
  char *line;
  size_t line_cap;
  pairs headings;
  pairs stanza;
};

static void clear(pairs *p) {
  for (size_t i = 0; i < p->n; i++) {
    free(p->name[i]);
    free(p->value[i]);
  }
  p->n = 0;
}

static const char *find(const pairs *p, const char *name) {
  for (size_t i = 0; i < p->n; i++)
    if (strcmp(p->name[i], name) == 0) return p->value[i];
  return NULL;
}

static char *trim(char *s) {
  s += strspn(s, " \t");
  for (size_t n = strlen(s); n != 0 && strchr(" \t\r\n", s[n - 1]) != NULL; n--) s[n - 1] = 0;
  return s;
}

// text is "NAME = VALUE" or "NAME".
static void add(pairs *p, char *text) {
  if (p->n == MAX_PAIRS) fail_msg("more than %d values together in a response file", MAX_PAIRS);
  char *equals = strchr(text, '=');
  char *value = equals == NULL ? text + strlen(text) : equals + 1;
  if (equals != NULL) *equals = 0;
  p->name[p->n] = strdup(trim(text));
  p->value[p->n] = strdup(trim(value));
  p->n++;
}

rsp *rsp_open(const char *path) {
  char full[512];
  vectors_path(path, full, sizeof full);
  FILE *file = fopen(full, "r");
  if (file == NULL) fail_msg("%s: cannot be opened", full);
  rsp *r = calloc(1, sizeof *r);
  r->file = file;
  return r;
}

void rsp_close(rsp *r) {
  clear(&r->headings);
  clear(&r->stanza);
  free(r->line);
  fclose(r->file);
  free(r);
}

bool rsp_next(rsp *r) {
  clear(&r->stanza);
  bool in_headings = false;
  while (getline(&r->line, &r->line_cap, r->file) >= 0) {
    char *text = trim(r->line);
    if (*text == '#') continue;
    if (*text == 0) {
      if (r->stanza.n != 0) return true;
      continue;
    }
    char *close = *text == '[' ? strrchr(text, ']') : NULL;
    if (close == NULL) {
      add(&r->stanza, text);
      continue;
    }
    // A first heading after stanzas begins a new set of headings.
    if (!in_headings) clear(&r->headings);
    in_headings = true;
    *close = 0;
    add(&r->headings, text + 1);
  }
  return r->stanza.n != 0;
}

const char *rsp_text(const rsp *r, const char *name) {
  const char *value = find(&r->stanza, name);
  return value != NULL ? value : find(&r->headings, name);
}

static const char *required(const rsp *r, const char *name) {
  const char *value = rsp_text(r, name);
  if (value == NULL) fail_msg("no '%s' in a stanza of a response file", name);
  return value;
}

bytes rsp_hex(const rsp *r, const char *name) { return bytes_from_hex(required(r, name)); }

size_t rsp_number(const rsp *r, const char *name) {
  const char *value = required(r, name);
  char *end;
  size_t n = strtoull(value, &end, 10);
  if (end == value || *end != 0) fail_msg("'%s' is not a number: %s", name, value);
  return n;
}
