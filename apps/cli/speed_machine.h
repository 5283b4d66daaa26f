// What a benchmark asks of the machine: the time, and the processor's name.
#ifndef TN_CLI_SPEED_MACHINE_H
#define TN_CLI_SPEED_MACHINE_H

#include <stddef.h>

// A stopwatch. It runs while work is timed; work that has to prepare something untimed pauses it.
typedef struct tn_speed_clock {
  double seconds;
  double cycles;  // of the time stamp counter; 0 where there is none
  double started_seconds, started_cycles;
} tn_speed_clock;

void tn_speed_resume(tn_speed_clock *clock);
void tn_speed_pause(tn_speed_clock *clock);

// Seconds of the monotonic clock.
double tn_speed_now(void);

// The processor's name, or "unknown processor" where the system does not tell.
void tn_speed_processor(char *out, size_t room);

#endif
