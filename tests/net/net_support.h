// What the tests of floor 4 share: a loop on a thread of its own with a listener, and sides that record what happens
// to their streams. Callbacks record; the test's thread asserts after the loop has ended.
#ifndef TN_TESTS_NET_SUPPORT_H
#define TN_TESTS_NET_SUPPORT_H

#include <uv.h>

#include "support/support.h"
#include "tenon/net.h"

typedef struct world world;
typedef struct side side;

// One end of a connection. Hooks may be NULL; they run in the loop's thread after the event was counted.
struct side {
  world *world;
  tn_stream *stream;
  bool has_stream;  // between its making and on_close
  unsigned opens, ends, drains, closes;
  unsigned disorder;  // events before on_open, after on_end or on_close, or while reading is off
  bool reading_off;
  size_t received;
  size_t wrong_bytes;  // that differ from pattern_byte(seed, position)
  uint64_t seed;
  tn_result why;
  char text[640];

  void (*on_open)(side *s);
  void (*on_data)(side *s, const uint8_t *data, size_t n);
  void (*on_end)(side *s);
  bool no_end;  // gives the stream no on_end at all
  void (*on_drain)(side *s);
  void (*on_close)(side *s);
  // For the hooks.
  size_t to_send, sent, most_queued;
  test_rng rng;
  uv_timer_t timer;
};

#define MAX_SIDES 64

struct world {
  tn_loop *loop;
  tn_listener *listener;
  uint16_t port;
  side server_side;  // what each accepted stream's side begins as
  side accepted[MAX_SIDES];
  size_t n_accepted;
  bool refuse;

  size_t expected;  // closes (of whatever side) after which the loop is stopped
  size_t closes;
  bool timed_out;  // the watchdog had to stop the loop
  uv_timer_t watchdog;
  uv_sem_t done;
};

// Configurations made once for the whole program.
tn_config *server_config(void);
tn_config *new_server_config(void);  // another of the same kind, the caller's
tn_config *client_config(void);
void configs_free(void);
// Runs a program's tests, with what libuv opens once for a process opened before.
#define run_net_tests(tests) (warm_up(), cmocka_run_group_tests(tests, NULL, NULL))
void warm_up(void);

// When whatever hangs is given up. A loaded machine under a sanitizer takes its time: no limit of the library's own
// that a test does not ask for may end it sooner.
#define WATCHDOG_MS 240000

// A loop with a listener on 127.0.0.1 at a free port, not started. Handshakes have until the watchdog's time; other
// options that are 0 are the library's.
void world_init(world *w, size_t expected_closes, const tn_listen_options *extra);
void world_start(world *w);
// Waits for the end (the expected closes, or the watchdog) and frees the loop. Fails the test when the
// watchdog had to end it.
void world_finish(world *w);
// Connects a side to the listener (the loop not started yet, or its thread).
void side_connect(world *w, side *s);
void side_connect_to(world *w, side *s, const char *host, uint16_t port, uint64_t timeout_ms);
extern const tn_stream_events side_events;

tn_result side_write(side *s, const void *data, size_t n);
// Writes the pattern until `to_send` bytes are sent or `window` are queued; closes after the last if told to.
void side_pump(side *s, size_t window, bool close_after);
void side_read(side *s, bool on);

// Asserts how a side ended.
void assert_closed(const side *s, tn_reason why, const char *text);

uint8_t pattern_byte(uint64_t seed, size_t position);

// Raw blocking sockets, with the watchdog's limit on each call.
int raw_connect(uint16_t port);
int raw_connect_to(uint32_t address, uint16_t port);  // IPv4, in host order
int raw_listen(uint16_t *port, int backlog);          // a backlog below 0: bound, not listening
int raw_listen_at(uint32_t address, uint16_t *port, int backlog);
// Reads to the end; the number of bytes, or -errno. The first `room` bytes are kept.
long raw_read_all(int fd, uint8_t *out, size_t room);
void raw_reset(int fd);  // closes with a reset

size_t count_fds(void);

#endif
