#define _GNU_SOURCE
#include "tree.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/support.h"

static void in_tree(const tree *t, const char *path, char out[256]) {
  assert_in_range(snprintf(out, 256, "%s/%s", t->path, path), 1, 255);
}

void tree_write(const tree *t, const char *path, const void *data, size_t n) {
  char name[256];
  in_tree(t, path, name);
  FILE *f = fopen(name, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(data, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
  const struct timespec times[2] = {{TREE_MODIFIED, 0}, {TREE_MODIFIED, 0}};
  assert_int_equal(utimensat(AT_FDCWD, name, times, 0), 0);
}

static int open_directory(const tree *t, const char *path) {
  char name[256];
  in_tree(t, path, name);
  int fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  assert_true(fd >= 0);
  return fd;
}

void tree_make(tree *t) {
  static const char *const directories[] = {"inside", "inside/dir", "inside/empty", "inside/d ir", "second", "beside"};
  static const struct {
    const char *path, *text;
  } files[] = {
      {"inside/index.html", "<p>root\n"},
      {"inside/a.txt", "0123456789"},
      {"inside/empty.txt", ""},
      {"inside/.hidden", "hidden"},
      {"inside/dir/index.html", "<p>dir\n"},
      {"inside/dir/b", "b"},
      {"inside/d ir/index.html", "<p>d ir\n"},
      {"second/a.txt", "second a"},
      {"second/only.txt", "second"},
      {"beside/file", "beside"},
      {"secret", "secret"},
  };
  static const struct {
    const char *path, *target;
  } links[] = {
      {"inside/link", "dir/b"},           {"inside/dir/up", "../a.txt"},  {"inside/dirlink", "dir"},
      {"inside/out", "../secret"},        {"inside/outdir", "../beside"}, {"inside/parent", ".."},
      {"inside/absolute", "/etc"},        {"inside/loop", "loop"},        {"inside/dangling", "nowhere"},
      {"inside/magic", "/proc/self/cwd"},
  };
  char name[256];
  strcpy(t->path, "/tmp/tenon-test-XXXXXX");
  assert_non_null(mkdtemp(t->path));
  for (size_t i = 0; i < COUNT(directories); i++) {
    in_tree(t, directories[i], name);
    assert_int_equal(mkdir(name, 0755), 0);
  }
  for (size_t i = 0; i < COUNT(files); i++) tree_write(t, files[i].path, files[i].text, strlen(files[i].text));
  for (size_t i = 0; i < COUNT(links); i++) {
    in_tree(t, links[i].path, name);
    assert_int_equal(symlink(links[i].target, name), 0);
  }
  in_tree(t, "inside/fifo", name);
  assert_int_equal(mkfifo(name, 0644), 0);
  t->inside = open_directory(t, "inside");
  t->second = open_directory(t, "second");
}

static int remove_one(const char *path, const struct stat *s, int type, struct FTW *ftw) {
  (void)s;
  (void)type;
  (void)ftw;
  return remove(path);
}

void tree_remove(tree *t) {
  close(t->inside);
  close(t->second);
  assert_int_equal(nftw(t->path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}
