// What the rows look like: a table for people, JSON for programs.
#include "bench.h"

// How wide the rounds lie apart, in per cent of their median.
static double spread(bench_stat s) { return s.median > 0 ? 100 * (s.max - s.min) / s.median : 0; }

// ---------------------------------------------------------------- text

static void text_begin(const bench *b) {
  fprintf(b->out, "%-34s %6s  %-13s %-24s %12s %7s %10s %12s %7s  %s\n", "name", "size", "path", "peer", "ours", "+-%",
          "cycles", "peer's", "+-%", "ratio (min - max)");
}

static void text_value(const bench *b, const bench_row *row, bench_stat seconds) {
  if (row->size != 0)
    fprintf(b->out, " %7.3f GB/s", (double)row->size / seconds.median * 1e-9);
  else
    fprintf(b->out, seconds.median < 1e-6 ? " %9.2f ns" : " %9.2f us",
            seconds.median * (seconds.median < 1e-6 ? 1e9 : 1e6));
  fprintf(b->out, " %7.1f", spread(seconds));
}

static void text_cycles(const bench *b, const bench_row *row, double cycles) {
  if (cycles <= 0)
    fprintf(b->out, " %10s", "-");
  else if (row->size != 0)
    fprintf(b->out, " %8.2f/B", cycles / (double)row->size);
  else
    fprintf(b->out, " %10.0f", cycles);
}

// peer 0, ourselves: there is none.
static void text_row(const bench *b, const bench_result *r, size_t peer) {
  const bench_row *row = r->row;
  char size[24] = "-";
  if (row->size != 0) snprintf(size, sizeof size, "%zu", row->size);
  fprintf(b->out, "%-34s %6s  %-13s %-24s", row->name, size, row->path != NULL ? row->path : "-",
          peer != 0 ? row->sides[peer].library : "no peer");
  if (!r->outputs_agree) {
    fprintf(b->out, " FAILED\n");
    return;
  }
  text_value(b, row, r->seconds[0]);
  text_cycles(b, row, r->cycles[0]);
  if (peer == 0) {
    fprintf(b->out, "\n");
    return;
  }
  text_value(b, row, r->seconds[peer]);
  fprintf(b->out, "  %.2f (%.2f - %.2f)\n", r->ratio[peer].median, r->ratio[peer].min, r->ratio[peer].max);
}

// ---------------------------------------------------------------- JSON

// The rate, its range and the cycles of one side. The fastest round is the rate's maximum.
static void json_side(const bench *b, const bench_row *row, const char *prefix, bench_stat seconds, double cycles) {
  const double units = row->size != 0 ? (double)row->size : 1;
  const char *rate = row->size != 0 ? "bytes_per_s" : "ops_per_s";
  const char *cost = row->size != 0 ? "cycles_per_byte" : "cycles_per_op";
  fprintf(b->out, ", \"%s%s\": %.6g, \"%s%s_min\": %.6g, \"%s%s_max\": %.6g", prefix, rate, units / seconds.median,
          prefix, rate, units / seconds.max, prefix, rate, units / seconds.min);
  if (cycles > 0)
    fprintf(b->out, ", \"%s%s\": %.6g", prefix, cost, cycles / units);
  else
    fprintf(b->out, ", \"%s%s\": null", prefix, cost);
}

static void json_row(const bench *b, const bench_result *r, size_t peer, bool first) {
  const bench_row *row = r->row;
  fprintf(b->out, "%s  {\"name\": \"%s\"", first ? "" : ",\n", row->name);
  if (row->size != 0) fprintf(b->out, ", \"size\": %zu", row->size);
  if (row->path != NULL) fprintf(b->out, ", \"path\": \"%s\"", row->path);
  if (peer != 0)
    fprintf(b->out, ", \"peer\": \"%s\"", row->sides[peer].library);
  else
    fprintf(b->out, ", \"peer\": null");
  fprintf(b->out, ", \"outputs_agree\": %s", r->outputs_agree ? "true" : "false");
  if (r->outputs_agree) json_side(b, row, "", r->seconds[0], r->cycles[0]);
  if (r->outputs_agree && peer != 0) {
    json_side(b, row, "peer_", r->seconds[peer], r->cycles[peer]);
    fprintf(b->out, ", \"ratio\": %.4g, \"ratio_min\": %.4g, \"ratio_max\": %.4g", r->ratio[peer].median,
            r->ratio[peer].min, r->ratio[peer].max);
  }
  fprintf(b->out, "}");
}

// ---------------------------------------------------------------- either

void bench_report_begin(const bench *b) {
  if (b->json)
    fprintf(b->out, "[\n");
  else
    text_begin(b);
}

void bench_report_row(const bench *b, const bench_result *result) {
  const size_t first = result->row->n_sides > 1 ? 1 : 0;
  for (size_t peer = first; peer < result->row->n_sides; peer++) {
    if (b->json)
      json_row(b, result, peer, b->rows == 0 && peer == first);
    else
      text_row(b, result, peer);
  }
  fflush(b->out);
}

void bench_report_end(const bench *b) {
  if (b->json) fprintf(b->out, "\n]\n");
}
