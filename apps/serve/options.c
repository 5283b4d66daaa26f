#include "serve/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "pki/cert.h"
#include "serve/serve.h"

static const char default_port[] = "8443";
static const char default_root[] = ".";

static bool is_port(const char *text) {
  long port;
  return tn_parse_number(text, 0, 65535, &port);
}

static bool is_address(const char *text) {
  uint8_t address[16];
  return tn_ip_parse(tn_span_of(text, strlen(text)), address) != 0;
}

static bool is_anything(const char *text) { return text[0] != 0; }

static int parse(int argc, char **argv, tn_serve_options *o) {
  static const struct option no_names[] = {{0}};
  const struct {
    int letter;
    tn_option_list *list;
    bool (*is_valid)(const char *text);
    const char *what;
  } lists[] = {
      {'p', &o->ports, is_port, "is not a port from 0 to 65535"},
      {'l', &o->addresses, is_address, "is not an IP address"},
      {'D', &o->roots, is_anything, "is not a directory"},
      {'C', &o->certs, is_anything, "is not a file"},
      {'K', &o->keys, is_anything, "is not a file"},
  };
  optind = 0;
  for (int letter; (letter = tn_next_option(&tn_command_serve, argc, argv, "p:l:D:C:K:Bv", no_names)) != -1;) {
    if (letter == '?') return 2;
    if (letter == 'v') o->verbose = true;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
      if (lists[i].letter != letter) continue;
      if (!lists[i].is_valid(optarg)) {
        return tn_usage_error(&tn_command_serve, "-%c: `%s` %s", letter, optarg, lists[i].what);
      }
      lists[i].list->items[lists[i].list->n++] = optarg;
    }
  }
  if (optind != argc)
    return tn_usage_error(&tn_command_serve, "serve: what is `%s`? It takes options only", argv[optind]);
  if (o->keys.n != 0 && o->certs.n == 0) {
    return tn_usage_error(&tn_command_serve, "-K: a private key needs its certificate (-C)");
  }
  return 0;
}

int tn_serve_options_parse(int argc, char **argv, tn_serve_options *out) {
  *out = (tn_serve_options){0};
  tn_option_list *const all[] = {&out->ports, &out->addresses, &out->roots, &out->certs, &out->keys};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    // No list is longer than the command line; one place is for the default.
    all[i]->items = calloc((size_t)argc + 1, sizeof *all[i]->items);
    if (all[i]->items == NULL) return tn_failed("serve", tn_reason_text(TN_E_NO_MEMORY));
  }
  int status = parse(argc, argv, out);
  if (out->ports.n == 0) out->ports.items[out->ports.n++] = default_port;
  if (out->roots.n == 0) out->roots.items[out->roots.n++] = default_root;
  return status;
}

void tn_serve_options_free(tn_serve_options *o) {
  free(o->ports.items);
  free(o->addresses.items);
  free(o->roots.items);
  free(o->certs.items);
  free(o->keys.items);
}
