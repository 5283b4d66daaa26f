// A ring of links inside the things that it lists. A link that is in no ring points to itself.
#ifndef TN_NET_LIST_H
#define TN_NET_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tn_link {
  struct tn_link *prev;
  struct tn_link *next;
} tn_link;

static inline void tn_list_init(tn_link *link) { link->prev = link->next = link; }
static inline bool tn_list_empty(const tn_link *head) { return head->next == head; }

// Removes a link from its ring, if it is in one.
static inline void tn_list_remove(tn_link *link) {
  link->prev->next = link->next;
  link->next->prev = link->prev;
  tn_list_init(link);
}

// Appends a link that is in no ring.
static inline void tn_list_append(tn_link *head, tn_link *link) {
  link->prev = head->prev;
  link->next = head;
  head->prev->next = link;
  head->prev = link;
}

// Moves all of `from` to the empty ring `to`.
static inline void tn_list_take(tn_link *to, tn_link *from) {
  tn_list_init(to);
  if (tn_list_empty(from)) return;
  *to = *from;
  to->prev->next = to->next->prev = to;
  tn_list_init(from);
}

// The thing that a link is the member of.
#define TN_LISTED(link, type, member) ((type *)((char *)(link)-offsetof(type, member)))

#endif
