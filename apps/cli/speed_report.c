// What `tenon speed` prints: a table for people, JSON for programs.
#include <jansson.h>
#include <stdio.h>

#include "base/cpu.h"
#include "cli/speed.h"

void tn_speed_report_begin(bool json, double seconds) {
  char processor[128];
  if (json) {
    putchar('[');
    return;
  }
  tn_speed_processor(processor, sizeof processor);
  printf(
      "%s\n"
      "CPU level %s; %g s a row, the fastest round of it; cycles are the time stamp counter's\n\n"
      "%-44s %7s  %-12s %17s %16s\n",
      processor, tn_cpu_level_name(), seconds, "name", "size", "path", "rate", "cycles");
}

static void text_row(const tn_speed_job *job, const tn_speed_figure *figure) {
  const bool sized = job->size != 0;
  const double units = sized ? (double)job->size : 1;
  char size[24] = "-", cycles[32] = "-";
  if (sized) snprintf(size, sizeof size, "%zu", job->size);
  if (figure->cycles > 0) snprintf(cycles, sizeof cycles, sized ? "%.2f /byte" : "%.0f /op", figure->cycles / units);
  printf("%-44s %7s  %-12s ", job->row->name, size, job->path != NULL ? job->path : "-");
  if (sized)
    printf("%12.3f MB/s", units / figure->seconds * 1e-6);
  else
    printf("%12.1f op/s", units / figure->seconds);
  printf(" %16s\n", cycles);
}

static void json_row(const tn_speed_job *job, const tn_speed_figure *figure, bool first) {
  const bool sized = job->size != 0;
  const double units = sized ? (double)job->size : 1;
  json_t *row = json_pack("{s:s}", "name", job->row->name);
  if (sized) json_object_set_new(row, "size", json_integer((json_int_t)job->size));
  json_object_set_new(row, sized ? "bytes_per_s" : "ops_per_s", json_real(units / figure->seconds));
  json_object_set_new(row, sized ? "cycles_per_byte" : "cycles_per_op",
                      figure->cycles > 0 ? json_real(figure->cycles / units) : json_null());
  printf("%s  ", first ? "\n" : ",\n");
  json_dumpf(row, stdout, JSON_REAL_PRECISION(6));
  json_decref(row);
}

void tn_speed_report_row(bool json, bool first, const tn_speed_job *job, const tn_speed_figure *figure) {
  if (json)
    json_row(job, figure, first);
  else
    text_row(job, figure);
}

void tn_speed_report_end(bool json) {
  if (json) printf("\n]\n");
}
