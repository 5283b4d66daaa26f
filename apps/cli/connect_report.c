#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cert_text.h"
#include "cli/connect.h"

static const char *or_none(const char *text) { return text == NULL ? "none" : text; }

static void print_span(const char *label, tn_span text) {
  if (text.n == 0) return;
  json_t *value = tn_span_json(text);  // escapes what a terminal should not see
  fprintf(stderr, "  %-13s %s\n", label, value == NULL ? "?" : json_string_value(value));
  json_decref(value);
}

static void print_cert(size_t i, const tn_cert *cert, int64_t now) {
  char subject[256], issuer[256], validity[64];
  tn_name_text(cert->subject, subject, sizeof subject);
  tn_name_text(cert->issuer, issuer, sizeof issuer);
  tn_validity_text(cert, now, validity, sizeof validity);
  fprintf(stderr, "  %-13s %s\n", i == 0 ? "certificate" : "", subject[0] == 0 ? "(no subject)" : subject);
  fprintf(stderr, "  %-13s   issued by %s, %s, %s\n", "", issuer, tn_cert_key_name(cert), validity);
}

static void report_text(tn_stream *stream, const tn_conn_info *info) {
  fprintf(stderr, "connected to %s\n", tn_stream_peer(stream));
  fprintf(stderr, "  %-13s %s\n", "version", or_none(info->version));
  fprintf(stderr, "  %-13s %s\n", "suite", or_none(info->suite));
  fprintf(stderr, "  %-13s %s%s\n", "group", or_none(info->group), info->retried ? " (after a HelloRetryRequest)" : "");
  fprintf(stderr, "  %-13s %s\n", "signature", or_none(info->signature));
  print_span("protocol", info->alpn);
  print_span("server name", info->server_name);
  int64_t now = time(NULL);
  for (size_t i = 0; i < info->n_peer_chain; i++) {
    tn_cert cert;
    if (tn_ok(tn_cert_parse(&cert, tn_conn_peer_cert(tn_stream_conn(stream), i)))) print_cert(i, &cert, now);
  }
  fprintf(stderr, "  %-13s %s\n", "verified", info->verified ? "yes" : "NO: anyone may be in the middle");
}

static json_t *chain_json(tn_stream *stream, const tn_conn_info *info) {
  json_t *chain = json_array();
  int64_t now = time(NULL);
  for (size_t i = 0; i < info->n_peer_chain; i++) {
    tn_cert cert;
    bool parsed = tn_ok(tn_cert_parse(&cert, tn_conn_peer_cert(tn_stream_conn(stream), i)));
    json_array_append_new(chain, parsed ? tn_cert_json(&cert, now) : json_null());
  }
  return chain;
}

static json_t *span_or_null(tn_span text) { return text.n == 0 ? json_null() : tn_span_json(text); }

static void report_json(tn_stream *stream, const tn_conn_info *info) {
  json_t *object = json_pack("{s:s, s:s?, s:s?, s:i, s:s?, s:i, s:s?, s:o, s:o, s:b, s:b, s:o}",  //
                             "peer", tn_stream_peer(stream),                                      //
                             "version", info->version,                                            //
                             "suite", info->suite,                                                //
                             "suite_id", (int)info->suite_id,                                     //
                             "group", info->group,                                                //
                             "group_id", (int)info->group_id,                                     //
                             "signature", info->signature,                                        //
                             "alpn", span_or_null(info->alpn),                                    //
                             "server_name", span_or_null(info->server_name),                      //
                             "retried", info->retried,                                            //
                             "verified", info->verified,                                          //
                             "chain", chain_json(stream, info));
  if (object != NULL) json_dumpf(object, stderr, JSON_COMPACT);
  fputc('\n', stderr);
  json_decref(object);
}

void tn_connect_report(tn_stream *stream, tn_report how) {
  if (how == TN_REPORT_NONE) return;
  tn_conn_info info;
  tn_conn_get_info(tn_stream_conn(stream), &info);
  if (how == TN_REPORT_JSON) {
    report_json(stream, &info);
  } else {
    report_text(stream, &info);
  }
  fflush(stderr);
}
