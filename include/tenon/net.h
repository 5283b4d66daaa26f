// Floor 4 as outsiders see it: TLS streams over TCP on native threads, one libuv loop each.
//
// A stream belongs to one loop. All calls on it are made from that loop's thread; another thread posts a
// function (tn_loop_post) that makes them. All events come from the loop's thread.
#ifndef TENON_NET_H
#define TENON_NET_H

#include "tenon/base.h"
#include "tenon/tls.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- loops

typedef struct tn_loop tn_loop;

TN_MUST_USE tn_result tn_loop_new(tn_loop **out);
// Runs the loop on the calling thread until tn_loop_stop().
void tn_loop_run(tn_loop *loop);
// Runs the loop on a thread of its own; tn_loop_free() joins it.
TN_MUST_USE tn_result tn_loop_start(tn_loop *loop);
// From any thread, or a posted function: closes every listener and stream (on_close with TN_E_CANCELED), then ends
// the loop.
void tn_loop_stop(tn_loop *loop);
// From any thread: fn(arg) runs on the loop's thread, in order. TN_E_BAD_STATE after tn_loop_stop().
TN_MUST_USE tn_result tn_loop_post(tn_loop *loop, void (*fn)(void *arg), void *arg);
// Stops, joins, frees. NULL is allowed.
void tn_loop_free(tn_loop *loop);
// The loop's libuv loop (uv_loop_t *), for timers, signals and files of the application's own.
void *tn_loop_uv(tn_loop *loop);

// ---------------------------------------------------------------- streams

typedef struct tn_stream tn_stream;

// What happens to a stream. Any may be NULL except on_close. `ctx` is what the stream was made with.
typedef struct tn_stream_events {
  // The handshake is done; tn_stream_conn() tells what was negotiated.
  void (*on_open)(tn_stream *stream, void *ctx);
  // Application data, valid during the call. Comes only while reading is on.
  void (*on_data)(tn_stream *stream, void *ctx, const uint8_t *data, size_t n);
  // The peer's close_notify: it will send nothing more. Writing may go on. Without this handler the stream closes.
  void (*on_end)(tn_stream *stream, void *ctx);
  // All that was written has been given to the system; comes after a write that went out at once, too.
  void (*on_drain)(tn_stream *stream, void *ctx);
  // The last event: the stream is gone after it. `why` is a success after an orderly close; `text` says it in words
  // (never NULL), e.g. "handshake failed: no cipher suite in common (sent alert handshake_failure)".
  void (*on_close)(tn_stream *stream, void *ctx, tn_result why, const char *text);
} tn_stream_events;

// Encrypts and queues the n spans; the memory is the caller's again on return. TN_E_BAD_STATE before on_open,
// after tn_stream_close(), and in a stream that has failed.
TN_MUST_USE tn_result tn_stream_write(tn_stream *stream, const tn_span *data, size_t n);
// Bytes queued and not yet given to the system: write no more than a window's worth ahead, wait for on_drain.
size_t tn_stream_queued(const tn_stream *stream);
// Reading is on at first; off, at most what was already read is kept back, and the peer feels it.
void tn_stream_read(tn_stream *stream, bool on);
// Ends our direction: close_notify follows what is queued, and tn_stream_write() fails from now on. The peer's goes on:
// on_data as before, then on_end.
void tn_stream_end(tn_stream *stream);
// Sends what is queued, then close_notify, then closes; on_close follows. What still arrives is dropped. Bounded by
// the linger time-out: 5 seconds without progress, a minute in all, and a second for the peer to end its side.
void tn_stream_close(tn_stream *stream);
// Closes at once; on_close follows with TN_E_CANCELED.
void tn_stream_abort(tn_stream *stream);
// The stream fails with TN_E_TIMED_OUT unless this is called again within `ms`; 0 is no limit. Until on_open, the
// handshake's own limit rules instead. An idle stream ends with a close_notify; what is queued is dropped.
void tn_stream_deadline(tn_stream *stream, uint64_t ms);
tn_conn *tn_stream_conn(tn_stream *stream);
tn_loop *tn_stream_loop(tn_stream *stream);
// The peer's address, "192.0.2.1:443" or "[2001:db8::1]:443"; lives as long as the stream.
const char *tn_stream_peer(const tn_stream *stream);

// ---------------------------------------------------------------- listeners

typedef struct tn_listener tn_listener;

typedef struct tn_listen_options {
  const char *address;    // an IP address in text form; "::" takes IPv4 too
  uint16_t port;          // 0: a free one
  tn_config *config;      // a reference is taken
  uint64_t handshake_ms;  // limit for a handshake; 0: 10 seconds
  size_t max_streams;     // connections at once; more wait in the system's queue; 0: no limit
  // A connection arrived: sets *events and *ctx for it. False refuses it.
  bool (*on_accept)(tn_listener *listener, void *ctx, tn_stream *stream, const tn_stream_events **events,
                    void **stream_ctx);
  void *ctx;
} tn_listen_options;

// Opens a listener; call it before the loop runs, or from the loop's thread. On failure *why (if not NULL) is the
// reason in words, static ("address already in use").
TN_MUST_USE tn_result tn_listen(tn_loop *loop, const tn_listen_options *options, tn_listener **out, const char **why);
// The port that it listens on.
uint16_t tn_listener_port(const tn_listener *listener);
// New connections get this configuration from now on; open ones keep theirs. From the loop's thread.
void tn_listener_set_config(tn_listener *listener, tn_config *config);
// Stops listening; its streams live on.
void tn_listener_close(tn_listener *listener);

// ---------------------------------------------------------------- connectors

typedef struct tn_connect_options {
  const char *host;  // name or IP address; every address it has is tried in turn
  uint16_t port;
  tn_config *config;    // a reference is taken
  tn_span server_name;  // what the certificate must be for (and SNI); empty: host
  uint64_t timeout_ms;  // for resolving, connecting and the handshake together; 0: 30 seconds
} tn_connect_options;

// Connects; on_open or on_close follows, always later than this call returns. From the loop's thread or before it runs.
TN_MUST_USE tn_result tn_connect(tn_loop *loop, const tn_connect_options *options, const tn_stream_events *events,
                                 void *ctx, tn_stream **out);

#ifdef __cplusplus
}
#endif
#endif
