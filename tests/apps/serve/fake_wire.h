// A wire without a network: keeps what a session writes and what it asks for.
#ifndef TN_TESTS_FAKE_WIRE_H
#define TN_TESTS_FAKE_WIRE_H

#include "serve/session.h"
#include "tree.h"

#define FAKE_NOW 1764500000  // Sun, 30 Nov 2025 10:53:20 GMT

typedef struct fake_wire {
  tn_http_session session;
  tn_writer out;       // what was written
  tn_writer log;       // "STATUS SENT REQUEST-LINE\n" of each request
  size_t largest;      // write
  bool fails;          // writing fails
  bool drains_inside;  // a drain comes from within each write
  bool reading, closed, aborted;
  uint64_t deadline;
} fake_wire;

// A session over the tree's two directories and a page "/page".
void fake_start(fake_wire *f, const tree *t);
void fake_end(fake_wire *f);
void fake_feed(fake_wire *f, const char *text, size_t n);

// Feeds the whole text to a session of its own, drains until nothing happens, and returns what it wrote with a final
// 0; free() it. With `split` the text comes in two parts.
char *fake_exchange(const tree *t, const char *text, size_t split, size_t *n);

#endif
