#include "serve/mime.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const struct {
  const char *extension;
  const char *type;
} types[] = {
    {"html", "text/html; charset=utf-8"},
    {"htm", "text/html; charset=utf-8"},
    {"css", "text/css; charset=utf-8"},
    {"js", "text/javascript; charset=utf-8"},
    {"mjs", "text/javascript; charset=utf-8"},
    {"json", "application/json"},
    {"map", "application/json"},
    {"webmanifest", "application/manifest+json"},
    {"txt", "text/plain; charset=utf-8"},
    {"md", "text/markdown; charset=utf-8"},
    {"csv", "text/csv; charset=utf-8"},
    {"xml", "application/xml"},
    {"xhtml", "application/xhtml+xml"},
    {"atom", "application/atom+xml"},
    {"rss", "application/rss+xml"},
    {"ics", "text/calendar; charset=utf-8"},
    {"vtt", "text/vtt; charset=utf-8"},
    {"svg", "image/svg+xml"},
    {"png", "image/png"},
    {"apng", "image/apng"},
    {"jpg", "image/jpeg"},
    {"jpeg", "image/jpeg"},
    {"gif", "image/gif"},
    {"webp", "image/webp"},
    {"avif", "image/avif"},
    {"ico", "image/x-icon"},
    {"bmp", "image/bmp"},
    {"tif", "image/tiff"},
    {"tiff", "image/tiff"},
    {"woff", "font/woff"},
    {"woff2", "font/woff2"},
    {"ttf", "font/ttf"},
    {"otf", "font/otf"},
    {"mp3", "audio/mpeg"},
    {"m4a", "audio/mp4"},
    {"ogg", "audio/ogg"},
    {"oga", "audio/ogg"},
    {"opus", "audio/ogg"},
    {"flac", "audio/flac"},
    {"wav", "audio/wav"},
    {"weba", "audio/webm"},
    {"mp4", "video/mp4"},
    {"m4v", "video/mp4"},
    {"webm", "video/webm"},
    {"ogv", "video/ogg"},
    {"mov", "video/quicktime"},
    {"pdf", "application/pdf"},
    {"epub", "application/epub+zip"},
    {"wasm", "application/wasm"},
    {"zip", "application/zip"},
    {"gz", "application/gzip"},
    {"tgz", "application/gzip"},
    {"bz2", "application/x-bzip2"},
    {"xz", "application/x-xz"},
    {"zst", "application/zstd"},
    {"7z", "application/x-7z-compressed"},
    {"tar", "application/x-tar"},
};

const char *tn_mime_type(const char *name) {
  const char *slash = strrchr(name, '/');
  const char *dot = strrchr(slash != NULL ? slash : name, '.');
  for (size_t i = 0; dot != NULL && i < sizeof types / sizeof *types; i++) {
    if (strcasecmp(dot + 1, types[i].extension) == 0) return types[i].type;
  }
  return "application/octet-stream";
}
