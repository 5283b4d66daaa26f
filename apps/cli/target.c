#include "cli/target.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pki/cert.h"

static bool copy_host(tn_target *out, const char *p, size_t n) {
  if (n == 0 || n >= sizeof out->host) return false;
  memcpy(out->host, p, n);
  out->host[n] = 0;
  return true;
}

static bool is_v6(const char *text) {
  uint8_t address[16];
  return tn_ip_parse(tn_span_of(text, strlen(text)), address) == 16;
}

bool tn_parse_target(const char *text, uint16_t default_port, tn_target *out) {
  const char *port = NULL;
  if (*text == '[') {
    const char *end = strchr(text, ']');
    if (end == NULL || !copy_host(out, text + 1, (size_t)(end - text - 1)) || !is_v6(out->host)) return false;
    if (end[1] != 0 && end[1] != ':') return false;
    if (end[1] == ':') port = end + 2;
  } else if (is_v6(text)) {
    if (!copy_host(out, text, strlen(text))) return false;
  } else {
    const char *colon = strchr(text, ':');
    if (!copy_host(out, text, colon == NULL ? strlen(text) : (size_t)(colon - text))) return false;
    if (colon != NULL) port = colon + 1;
  }
  long number = default_port;
  if (port != NULL && !tn_parse_number(port, 1, 65535, &number)) return false;
  out->port = (uint16_t)number;
  return true;
}

// The next item of a comma-separated list; false after the last. Start with *rest = the text.
static bool next_item(const char **rest, tn_span *item) {
  if (*rest == NULL) return false;
  const char *comma = strchr(*rest, ',');
  *item = tn_span_of(*rest, comma == NULL ? strlen(*rest) : (size_t)(comma - *rest));
  *rest = comma == NULL ? NULL : comma + 1;
  return true;
}

static bool find_id(bool (*at)(size_t, uint16_t *, const char **), tn_span item, uint16_t *id) {
  const char *name;
  for (size_t i = 0; at(i, id, &name); i++) {
    if (strlen(name) == item.n && strncasecmp(name, (const char *)item.p, item.n) == 0) return true;
  }
  return false;
}

static int unknown_id(const tn_command *command, const char *option, tn_span item,
                      bool (*at)(size_t, uint16_t *, const char **)) {
  char list[1024] = "";
  size_t used = 0;
  const char *name;
  uint16_t id;
  for (size_t i = 0; used < sizeof list && at(i, &id, &name); i++) {
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : ", ", name);
  }
  return tn_usage_error(command, "%s: there is no `%.*s`. There are: %s", option, (int)item.n, (const char *)item.p,
                        list);
}

int tn_parse_ids(const tn_command *command, const char *option, const char *text,
                 bool (*at)(size_t i, uint16_t *id, const char **name), uint16_t *ids, size_t *n) {
  *n = 0;
  tn_span item;
  while (next_item(&text, &item)) {
    uint16_t id;
    if (!find_id(at, item, &id)) return unknown_id(command, option, item, at);
    bool again = *n == TN_MAX_IDS;
    for (size_t i = 0; i < *n; i++) again |= ids[i] == id;
    if (again) return tn_usage_error(command, "%s: `%.*s` is there twice", option, (int)item.n, (const char *)item.p);
    ids[(*n)++] = id;
  }
  return 0;
}

int tn_parse_protocols(const tn_command *command, const char *text, tn_span *protocols, size_t *n) {
  *n = 0;
  tn_span item;
  while (next_item(&text, &item)) {
    if (item.n == 0 || item.n > 255) return tn_usage_error(command, "--alpn: a protocol has 1 to 255 bytes");
    if (*n == TN_MAX_PROTOCOLS) return tn_usage_error(command, "--alpn: at most %d protocols", TN_MAX_PROTOCOLS);
    protocols[(*n)++] = item;
  }
  return 0;
}
