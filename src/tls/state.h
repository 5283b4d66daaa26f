// The handshake as a table: what may arrive in each state, the function that takes it, what may follow.
#ifndef TN_TLS_STATE_H
#define TN_TLS_STATE_H

#include "tls/conn.h"

// Takes a whole message. `message` includes its header (for the transcript), `body` does not.
// The handler sets *next to the state that follows, which the row must allow.
typedef tn_result (*tn_handler)(tn_conn *c, tn_span message, tn_reader *body, tn_state *next);

typedef struct tn_transition {
  tn_state state;
  uint8_t message;      // tn_message_type
  bool ends_record;     // the keys change after it: nothing may follow in its record
  uint32_t max_length;  // of the body
  tn_handler handler;
  uint32_t next;  // bits of the states that may follow
} tn_transition;

// The row for this message in this state; NULL: unexpected_message.
const tn_transition *tn_transition_find(tn_state state, uint8_t message);

// The whole table, for tests.
const tn_transition *tn_transitions(size_t *n);

const char *tn_state_name(tn_state state);

// The TN_PROVED_ bits that a role needs before its connection opens.
uint8_t tn_proofs_needed(tn_role role);

#endif
