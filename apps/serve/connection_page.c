#include "serve/connection_page.h"

#include <inttypes.h>

#include "serve/text.h"

void tn_connection_page_write(tn_writer *w, const tn_conn_info *info, uint64_t bytes_received, uint64_t bytes_sent) {
  const struct {
    const char *name;
    tn_span value;
  } texts[] = {
      {"version", tn_text(info->version != NULL ? info->version : "")},
      {"suite", tn_text(info->suite != NULL ? info->suite : "")},
      {"group", tn_text(info->group != NULL ? info->group : "")},
      {"signature", tn_text(info->signature != NULL ? info->signature : "")},
      {"server_name", info->server_name},
      {"alpn", info->alpn},
  };
  tn_write_text(w, "{");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    tn_write_format(w, "\"%s\": ", texts[i].name);
    tn_write_json(w, texts[i].value);
    tn_write_text(w, ", ");
  }
  tn_write_format(w, "\"retried\": %s, \"bytes_received\": %" PRIu64 ", \"bytes_sent\": %" PRIu64 "}\n",
                  info->retried ? "true" : "false", bytes_received, bytes_sent);
}
