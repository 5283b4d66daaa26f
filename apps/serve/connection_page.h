// The page that tells a visitor what TLS negotiated for the very connection that it is fetched through.
#ifndef TN_SERVE_CONNECTION_PAGE_H
#define TN_SERVE_CONNECTION_PAGE_H

#include "base/bytes.h"
#include "tenon/tls.h"

#define TN_CONNECTION_PAGE_PATH "/.tenon/connection"

// As a JSON object.
void tn_connection_page_write(tn_writer *w, const tn_conn_info *info, uint64_t bytes_received, uint64_t bytes_sent);

#endif
