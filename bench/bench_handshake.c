#include "bench.h"
void bench_handshake(bench *b) { (void)b; }
