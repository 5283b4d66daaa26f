// Opens files below a directory in such a way that no path and no symbolic link leads out of it.
#ifndef TN_SERVE_OPEN_BENEATH_H
#define TN_SERVE_OPEN_BENEATH_H

// Opens `path` (relative; "" is the directory itself) for reading. The descriptor, or -1 and errno. A symbolic link
// is followed while it stays below `directory`. Never blocks on a FIFO. The caller looks at what kind of file it is.
int tn_open_beneath(int directory, const char *path);

// The same where the kernel has no openat2(2): component by component, following no symbolic link at all.
int tn_open_beneath_walk(int directory, const char *path);

#endif
