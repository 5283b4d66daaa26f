#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/open_beneath.h"
#include "support/support.h"
#include "tree.h"

static void opens(void **state) {
  (void)state;
  static const struct {
    const char *path;
    int error;       // with openat2(2); 0: it opens
    int walk_error;  // without
  } rows[] = {
      {"", 0, 0},
      {"a.txt", 0, 0},
      {"dir", 0, 0},
      {"dir/b", 0, 0},
      {"d ir/index.html", 0, 0},
      {"fifo", 0, 0},  // at once, though nobody writes to it
      {"absent", ENOENT, ENOENT},
      {"absent/b", ENOENT, ENOENT},
      {"a.txt/b", ENOTDIR, ENOTDIR},
      // symbolic links within the tree, then out of it
      {"link", 0, ELOOP},
      {"dir/up", 0, ELOOP},
      {"dirlink/b", 0, ENOTDIR},
      {"out", EXDEV, ELOOP},
      {"outdir", EXDEV, ELOOP},
      {"outdir/file", EXDEV, ENOTDIR},
      {"parent/secret", EXDEV, ENOTDIR},
      {"absolute/passwd", EXDEV, ENOTDIR},
      {"magic/secret", EXDEV, ENOTDIR},
      {"loop", ELOOP, ELOOP},
      {"dangling", ENOENT, ELOOP},
      // what url_path.c never lets through
      {"..", EXDEV, EXDEV},
      {"../secret", EXDEV, EXDEV},
      {"dir/../../secret", EXDEV, EXDEV},
      {"/etc/passwd", EXDEV, EXDEV},
  };
  static int (*const functions[])(int directory, const char *path) = {tn_open_beneath, tn_open_beneath_walk};
  tree t;
  tree_make(&t);
  for (size_t i = 0; i < COUNT(rows); i++) {
    for (size_t f = 0; f < 2; f++) {
      int expected = f == 0 ? rows[i].error : rows[i].walk_error;
      int fd = functions[f](t.inside, rows[i].path);
      int error = fd < 0 ? errno : 0;
      if (fd >= 0) close(fd);
      if (error != expected) fail_msg("%s, function %zu: %s", rows[i].path, f, strerror(error));
    }
  }
  char longer[300];
  memset(longer, 'a', sizeof longer);
  longer[sizeof longer - 1] = 0;
  for (size_t f = 0; f < 2; f++) {
    assert_int_equal(functions[f](t.inside, longer), -1);
    assert_int_equal(errno, ENAMETOOLONG);
  }
  tree_remove(&t);
}

static void leaks_no_descriptor(void **state) {
  (void)state;
  tree t;
  tree_make(&t);
  int before = dup(t.inside);
  for (int i = 0; i < 100; i++) {
    int fd = tn_open_beneath_walk(t.inside, "dir/b");
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(tn_open_beneath_walk(t.inside, "dir/absent"), -1);
    assert_int_equal(tn_open_beneath_walk(t.inside, "dir/b/c"), -1);
  }
  int after = dup(t.inside);
  assert_int_equal(after, before + 1);
  close(before);
  close(after);
  tree_remove(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(opens), cmocka_unit_test(leaks_no_descriptor)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
