/* What the parallel loops of compiled modules call: the pool of threads, which is made when the first loop needs it.

   Loops that are not worth several threads run at once on the thread of their caller; the first that is has Python
   make the pool. */

#ifndef HOLOGRAM_PARALLEL_LOOP_H
#define HOLOGRAM_PARALLEL_LOOP_H

#include "python_objects.h"

#include <stdatomic.h>

typedef void loop_body(void *context, int64_t begin, int64_t end);
typedef void loop_function(loop_body *body, void *context, int64_t begin, int64_t end, int64_t cost);

/* parallel_loops.py fills it in. */
struct {
  loop_function *_Atomic run; /* NULL until it is known */
  void (*find_run)(void);     /* writes the field above */
  uint64_t least_work;        /* the least work of a loop that calls `find_run` */
  int64_t interrupted; /* 1: `find_run` was interrupted, which must be raised where Python called the struct kernel */
} hologram_parallel_config;

void hologram_run_serially(loop_body *body, void *context, int64_t begin, int64_t end, int64_t cost) {
  (void)cost;
  body(context, begin, end);
}

void hologram_run_parallel(loop_body *body, void *context, int64_t begin, int64_t end, int64_t cost) {
  loop_function *run = atomic_load_explicit(&hologram_parallel_config.run, memory_order_acquire);
  if (!run) {
    uint64_t work;
    bool is_huge = __builtin_mul_overflow((uint64_t)(end - begin), (uint64_t)cost, &work);
    if (is_huge || work >= hologram_parallel_config.least_work) {
      hologram_parallel_config.find_run();
      if (hologram_parallel_config.interrupted) {
        hologram_parallel_config.interrupted = 0;
        PyErr_SetInterrupt();
      }
      run = atomic_load_explicit(&hologram_parallel_config.run, memory_order_acquire);
    }
    if (!run) run = hologram_run_serially;
  }
  run(body, context, begin, end, cost);
}

#endif
