#include "cli/speed_machine.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

double tn_speed_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double time_stamp(void) {
#if defined(__x86_64__)
  return (double)__rdtsc();
#else
  return 0;
#endif
}

void tn_speed_resume(tn_speed_clock *clock) {
  clock->started_seconds = tn_speed_now();
  clock->started_cycles = time_stamp();
}

void tn_speed_pause(tn_speed_clock *clock) {
  clock->cycles += time_stamp() - clock->started_cycles;
  clock->seconds += tn_speed_now() - clock->started_seconds;
}

void tn_speed_processor(char *out, size_t room) {
  char line[256];
  FILE *f = fopen("/proc/cpuinfo", "re");
  snprintf(out, room, "unknown processor");
  while (f != NULL && fgets(line, sizeof line, f) != NULL) {
    const char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || colon == NULL) continue;
    line[strcspn(line, "\n")] = 0;
    snprintf(out, room, "%s", colon + 1 + strspn(colon + 1, " "));
    break;
  }
  if (f != NULL) fclose(f);
}
