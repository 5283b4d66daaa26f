#define _GNU_SOURCE
#include "serve/access_log.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "serve/text.h"

tn_span tn_peer_address(const char *peer) {
  const char *colon = strrchr(peer, ':');
  tn_span a = tn_span_of(peer, colon != NULL ? (size_t)(colon - peer) : strlen(peer));
  if (a.n >= 2 && a.p[0] == '[' && a.p[a.n - 1] == ']') a = tn_span_of(a.p + 1, a.n - 2);
  return a;
}

static void write_or_dash(tn_writer *w, tn_span s) {
  if (s.n == 0) tn_write_u8(w, '-');
  tn_write_log(w, s);
}

void tn_access_log_write(tn_writer *w, const tn_access *a) {
  time_t time = (time_t)a->time;
  struct tm local;
  char date[64] = "";
  if (localtime_r(&time, &local) != NULL) strftime(date, sizeof date, "%d/%b/%Y:%H:%M:%S %z", &local);
  write_or_dash(w, tn_peer_address(a->peer));
  tn_write_format(w, " - - [%s] \"", date);
  write_or_dash(w, a->request_line);
  tn_write_format(w, "\" %u %" PRIu64 " ", a->status, a->sent);
  write_or_dash(w, tn_text(a->version != NULL ? a->version : ""));
  tn_write_u8(w, ' ');
  write_or_dash(w, tn_text(a->suite != NULL ? a->suite : ""));
  tn_write_u8(w, '\n');
}
