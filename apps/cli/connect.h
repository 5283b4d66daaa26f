// The parts of `tenon connect`.
#ifndef TN_CLI_CONNECT_H
#define TN_CLI_CONNECT_H

#include "cli/target.h"
#include "tenon/net.h"

typedef enum tn_report { TN_REPORT_TEXT, TN_REPORT_JSON, TN_REPORT_NONE } tn_report;

// Tells on stderr what was negotiated.
void tn_connect_report(tn_stream *stream, tn_report how);

// Connects, and carries standard input to the peer and the peer to standard output until the peer closes.
// Returns the exit status; errors were reported.
int tn_connect_session(const tn_target *target, const tn_connect_options *options, tn_report how);

#endif
