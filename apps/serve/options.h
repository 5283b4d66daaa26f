// The command line of `tenon serve`.
#ifndef TN_SERVE_OPTIONS_H
#define TN_SERVE_OPTIONS_H

#include "tenon/base.h"

typedef struct tn_option_list {
  const char **items;
  size_t n;
} tn_option_list;

typedef struct tn_serve_options {
  tn_option_list ports;      // -p, decimal numbers from 0 to 65535
  tn_option_list addresses;  // -l, IP addresses; empty: all
  tn_option_list roots;      // -D
  tn_option_list certs;      // -C
  tn_option_list keys;       // -K
  bool verbose;              // -v
} tn_serve_options;

// Defaults filled in. 0, or the exit status after an error that was reported. Free it either way.
int tn_serve_options_parse(int argc, char **argv, tn_serve_options *out);
void tn_serve_options_free(tn_serve_options *o);

#endif
