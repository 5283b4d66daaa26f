// A stream, as the files that it is made of see it. Which does what:
//   stream.c        life, timer, and what happens after each round of events
//   stream_read.c   from the socket to on_data
//   stream_write.c  from tn_stream_write() to the socket
//   stream_close.c  from the wish or need to close to on_close
//
// Events are delivered from the loop's callbacks only (`busy` is set meanwhile), never from inside a call of the
// application's. Closing is libuv's, which is always later: a stream's memory outlives every frame that uses it.
#ifndef TN_NET_STREAM_H
#define TN_NET_STREAM_H

#include "net/address.h"
#include "net/connector.h"
#include "net/listener.h"
#include "net/loop.h"

typedef enum tn_stream_state {
  TN_STREAM_CONNECTING,
  TN_STREAM_HANDSHAKE,
  TN_STREAM_OPEN,
  TN_STREAM_FLUSHING,  // sends what is queued; what arrives is dropped
  TN_STREAM_DRAINING,  // has sent its end; drops what arrives until the peer's
  TN_STREAM_GONE,      // its handles are closing
} tn_stream_state;

// Why a stream ends; with it go the system's error where there is one, and the words of on_close.
typedef enum tn_cause {
  TN_CAUSE_NONE,
  TN_CAUSE_CLOSED,    // orderly
  TN_CAUSE_CANCELED,  // by the application
  TN_CAUSE_ENGINE,    // tn_conn_error() knows
  TN_CAUSE_SYSTEM,    // reading or writing failed
  TN_CAUSE_EOF,       // the peer's end without close_notify
  TN_CAUSE_TIME,
  TN_CAUSE_FLOOD,  // the peer makes us answer and does not read
  TN_CAUSE_CONNECT,
  TN_CAUSE_RESOLVE,
} tn_cause;

struct tn_stream {
  tn_link in_loop;
  tn_link in_soon;
  tn_loop *loop;
  tn_conn *conn;
  tn_listener *listener;    // that accepted it, while that lives
  tn_connector *connector;  // while there is no connection
  tn_stream_events events;
  void *ctx;

  uv_tcp_t tcp;
  uv_timer_t timer;  // connecting, handshake, deadline, closing: whichever is on
  uint8_t handles;   // of these two that are not closed

  uint8_t state;     // tn_stream_state
  uint8_t cause;     // tn_cause
  bool opened;       // on_open was called
  bool busy;         // delivering events
  bool paused;       // reading is off
  bool reading;      // libuv reads
  bool peer_closed;  // its close_notify arrived
  bool at_eof;       // its FIN arrived
  bool drain_due;    // on_drain is to come
  uint8_t writing;   // buffers at the front of `out` that libuv is writing
  int broken;        // writing failed: the end is coming through the reading side
  int error;         // libuv's, for the cause
  tn_buffer *in;     // NULL while nothing is in it
  tn_buffer *out;    // to be sent, the oldest first
  tn_buffer *out_last;
  size_t queued;         // bytes in `out` that libuv is not writing
  size_t answers;        // bytes that the protocol said by itself since all was sent the last time
  uint64_t deadline_ms;  // tn_stream_deadline()
  uint64_t linger_until;
  size_t linger_left;  // bytes that waited when the timer was set
  char peer[TN_ADDRESS_TEXT];
};

// stream.c
// A new stream without a connection. Takes `conn` even when it fails.
TN_MUST_USE tn_result tn_stream_new(tn_loop *loop, tn_conn *conn, tn_stream **out);
// The TCP connection is there: the handshake begins, with so much time.
void tn_stream_connected(tn_stream *s, uint64_t handshake_ms);
// tn_stream_on_soon() will be called before the loop waits again.
void tn_stream_soon(tn_stream *s);
void tn_stream_on_soon(tn_stream *s);
// After events were delivered: sends, reports a drain, gives an empty buffer back, reads or not.
void tn_stream_settle(tn_stream *s);
void tn_stream_timer(tn_stream *s, uint64_t ms);  // 0: none

// stream_read.c
// Deals with the records that are in the buffer.
void tn_stream_take_records(tn_stream *s);
// Starts or stops reading as the state asks.
void tn_stream_update_reading(tn_stream *s);
void tn_stream_drop_input(tn_stream *s);

// stream_write.c
// Queues what the engine has to say.
void tn_stream_send_pending(tn_stream *s);
// Gives the system what is queued.
void tn_stream_flush(tn_stream *s);
void tn_stream_drop_output(tn_stream *s);

// stream_close.c
// The engine failed: its alert is sent, then the stream closes.
void tn_stream_fail(tn_stream *s);
// Closes the handles; on_close follows. A cause that was set before stays, unless it was an orderly close.
void tn_stream_finish(tn_stream *s, tn_cause cause, int error);
// Everything is sent in the state FLUSHING.
void tn_stream_flushed(tn_stream *s);
// The timer fired in the state OPEN.
void tn_stream_deadline_passed(tn_stream *s);
// The timer fired in one of the closing states.
void tn_stream_linger_timeout(tn_stream *s);
// Called when one of its two handles is closed.
void tn_stream_handle_closed(uv_handle_t *handle);

#endif
