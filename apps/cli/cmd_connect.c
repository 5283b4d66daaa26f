#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/connect.h"

#define DEFAULT_TRUST "/etc/ssl/certs/ca-certificates.crt"
#define TRUST_LIMIT ((size_t)64 << 20)
#define SERVER_NAME_LIMIT 255  // tn_conn_new()'s

typedef struct request {
  tn_target target;
  const char *trust_path;  // NULL: SSL_CERT_FILE, else the system's
  const char *server_name;
  bool insecure;
  tn_report how;
  long timeout;
  uint16_t suites[TN_MAX_IDS], groups[TN_MAX_IDS];
  size_t n_suites, n_groups;
  tn_span protocols[TN_MAX_PROTOCOLS];
  size_t n_protocols;
} request;

// ---------------------------------------------------------------- the words of the user

static int take_option(request *q, int option) {
  const tn_command *me = &tn_command_connect;
  switch (option) {
    case 'c':
      q->trust_path = optarg;
      return 0;
    case 'i':
      q->insecure = true;
      return 0;
    case 'j':
      q->how = TN_REPORT_JSON;
      return 0;
    case 'q':
      q->how = TN_REPORT_NONE;
      return 0;
    case 'a':
      return tn_parse_protocols(me, optarg, q->protocols, &q->n_protocols);
    case 'g':
      return tn_parse_ids(me, "--groups", optarg, tn_group_at, q->groups, &q->n_groups);
    case 's':
      return tn_parse_ids(me, "--suites", optarg, tn_suite_at, q->suites, &q->n_suites);
    case 'n':
      q->server_name = optarg;
      if (*optarg != 0 && strlen(optarg) <= SERVER_NAME_LIMIT) return 0;
      return tn_usage_error(me, "--sni: a name of 1 to %d bytes, please", SERVER_NAME_LIMIT);
    case 't':
      if (tn_parse_number(optarg, 1, 86400, &q->timeout)) return 0;
      return tn_usage_error(me, "--timeout %s: a number of seconds from 1 to 86400, please", optarg);
    default:
      return 2;
  }
}

static int take_arguments(request *q, int argc, char **argv) {
  static const struct option options[] = {
      {"ca", required_argument, NULL, 'c'},      {"sni", required_argument, NULL, 'n'},
      {"alpn", required_argument, NULL, 'a'},    {"groups", required_argument, NULL, 'g'},
      {"suites", required_argument, NULL, 's'},  {"insecure", no_argument, NULL, 'i'},
      {"timeout", required_argument, NULL, 't'}, {"json", no_argument, NULL, 'j'},
      {"quiet", no_argument, NULL, 'q'},         {0},
  };
  optind = 0;
  for (int option; (option = tn_next_option(&tn_command_connect, argc, argv, "q", options)) != -1;) {
    int status = take_option(q, option);
    if (status != 0) return status;
  }
  if (argc - optind != 1) return tn_usage_error(&tn_command_connect, "connect: takes one HOST:PORT");
  if (tn_parse_target(argv[optind], 443, &q->target)) return 0;
  return tn_usage_error(&tn_command_connect, "`%s` is not HOST:PORT", argv[optind]);
}

// ---------------------------------------------------------------- the configuration

static int set_trust(const request *q, tn_config *config) {
  const char *path = q->trust_path, *variable = getenv("SSL_CERT_FILE");
  if (path == NULL) path = variable != NULL && *variable != 0 ? variable : DEFAULT_TRUST;
  uint8_t *file = NULL;
  size_t n = 0;
  tn_result r = tn_read_file(path, TRUST_LIMIT, &file, &n);
  if (!tn_ok(r)) {
    char why[256];
    snprintf(why, sizeof why, "%s%s", tn_file_why(r),
             q->trust_path == NULL ? " (--ca names the certificates to trust)" : "");
    return tn_failed(path, why);
  }
  tn_trust *trust = NULL;
  r = tn_trust_new(NULL, &trust);
  if (tn_ok(r)) r = tn_trust_add_pem(trust, tn_span_of(file, n), NULL, NULL);
  if (tn_ok(r)) r = tn_config_set_trust(config, trust);
  tn_trust_unref(trust);
  tn_file_free(file, n);
  return tn_ok(r) ? 0 : tn_failed(path, tn_reason_text(r.reason));
}

static int configure(const request *q, tn_config *config) {
  tn_result r = tn_success();
  if (q->n_suites != 0) r = tn_config_set_suites(config, q->suites, q->n_suites);
  if (tn_ok(r) && q->n_groups != 0) r = tn_config_set_groups(config, q->groups, q->n_groups);
  if (tn_ok(r) && q->n_protocols != 0) r = tn_config_set_alpn(config, q->protocols, q->n_protocols);
  if (tn_ok(r) && q->insecure) r = tn_config_set_insecure(config);
  if (!tn_ok(r)) return tn_failed("configuration", tn_reason_text(r.reason));
  return q->insecure ? 0 : set_trust(q, config);
}

static int run_connect(int argc, char **argv) {
  request q = {.timeout = 30};
  int status = take_arguments(&q, argc, argv);
  if (status != 0) return status;
  tn_config *config = NULL;
  tn_result r = tn_config_new(TN_CLIENT, NULL, &config);
  if (!tn_ok(r)) return tn_failed("configuration", tn_reason_text(r.reason));
  status = configure(&q, config);
  if (status == 0) {
    tn_connect_options options = {
        .host = q.target.host, .port = q.target.port, .config = config, .timeout_ms = (uint64_t)q.timeout * 1000};
    if (q.server_name != NULL) options.server_name = tn_span_of(q.server_name, strlen(q.server_name));
    status = tn_connect_session(&q.target, &options, q.how);
  }
  tn_config_unref(config);
  return status;
}

const tn_command tn_command_connect = {
    .name = "connect",
    .summary = "connects to a TLS server: stdin to it, its answer to stdout",
    .usage =
        "Usage: tenon connect [OPTION]... HOST[:PORT]\n"
        "\n"
        "Connects to a TLS server (port 443 unless another is given; an IPv6 address goes in brackets), sends it\n"
        "standard input and writes what it answers to standard output. What was negotiated is told on standard error.\n"
        "At the end of standard input it says so to the server (close_notify) and waits until the server closes.\n"
        "\n"
        "  --ca FILE          the certificates to trust, PEM (default: $SSL_CERT_FILE, else\n"
        "                     " DEFAULT_TRUST
        ")\n"
        "  --sni NAME         the server name to ask for, which its certificate must be for (default: HOST)\n"
        "  --alpn A,B         application protocols to offer, the most wanted first\n"
        "  --suites A,B       cipher suites to offer, likewise; a wrong name lists what there is\n"
        "  --groups A,B       key-exchange groups to offer, likewise\n"
        "  --insecure         accepts any certificate: anyone may be in the middle\n"
        "  --timeout SECONDS  for name look-up, connection and handshake together (default 30)\n"
        "  --json             tells what was negotiated as one JSON object\n"
        "  -q, --quiet        does not tell it\n",
    .run = run_connect,
};
