// A small tree of files in a temporary directory: `inside` is what is served, `secret` lies beside it.
#ifndef TN_TESTS_TREE_H
#define TN_TESTS_TREE_H

#include <stddef.h>

#define TREE_MODIFIED 784111777  // Sun, 06 Nov 1994 08:49:37 GMT

typedef struct tree {
  char path[64];  // of the temporary directory
  int inside;     // open directory
  int second;     // another one
} tree;

void tree_make(tree *t);
void tree_remove(tree *t);
// Writes (or overwrites) a file below the temporary directory; its time is TREE_MODIFIED.
void tree_write(const tree *t, const char *path, const void *data, size_t n);

#endif
