/* Where workers run: on Linux off the processor of the thread whose job they share.

   Linux often wakes a worker on the processor of the thread that wakes it, where the two take turns although another
   processor has nothing to do: with two processors that were both at work a moment ago it does not look for a free one,
   and mends that milliseconds later. So the caller tells it, whenever it finds itself on another processor than last
   time. */

#ifndef HOLOGRAM_THREAD_PLACEMENT_H
#define HOLOGRAM_THREAD_PLACEMENT_H

#ifdef __linux__
#define _GNU_SOURCE
#include <sched.h>
#endif
#include "thread_waiting.h"

#include <string.h>

#ifdef __linux__

/* Some C libraries of Linux lack these functions. */
#pragma weak sched_getcpu
#pragma weak pthread_getaffinity_np
#pragma weak pthread_setaffinity_np
#pragma weak __sched_cpucount

/* The most workers that are placed: with more processors than that the system finds a free one. */
enum { MAX_PLACED = 16, NOWHERE = -1 };

static _Atomic int32_t avoided_processor = NOWHERE;
static cpu_set_t allowed; /* what the thread that made the last worker may use */

static struct {
  pthread_t thread;
  cpu_set_t allowed; /* what it was told */
} placed[MAX_PLACED];

static inline bool can_place(void) { return sched_getcpu && pthread_getaffinity_np && pthread_setaffinity_np; }

/* Has the next job place the workers. */
static void forget_placement(void) { store(avoided_processor, NOWHERE, relaxed); }

/* Notes a new worker, which may run where the thread that made it may. */
static void note_placement(int32_t number, pthread_t thread) {
  forget_placement();
  if (number >= MAX_PLACED || !can_place()) return;
  placed[number].thread = thread;
  pthread_getaffinity_np(thread, sizeof(cpu_set_t), &placed[number].allowed);
  allowed = placed[number].allowed;
}

static __attribute__((noinline, cold)) void move_workers(int32_t here, int32_t threads, int32_t workers) {
  store(avoided_processor, here, relaxed);
  cpu_set_t wanted = allowed;
  /* Where there are fewer processors than threads, all have to share. */
  if (threads <= CPU_COUNT(&allowed) && here >= 0 && here < CPU_SETSIZE) CPU_CLR(here, &wanted);
  for (int32_t i = 0; i < workers && i < MAX_PLACED; i++) {
    cpu_set_t found;
    if (pthread_getaffinity_np(placed[i].thread, sizeof found, &found)) continue;
    /* Whoever else has placed a worker knows better. */
    if (!CPU_EQUAL(&found, &placed[i].allowed)) continue;
    if (!pthread_setaffinity_np(placed[i].thread, sizeof wanted, &wanted)) placed[i].allowed = wanted;
  }
}

/* Called by who has taken the pool. To look takes some nanoseconds. */
static inline void keep_workers_off_this_processor(int32_t threads, int32_t workers) {
  if (!can_place()) return;
  int32_t here = sched_getcpu();
  if (here != load(avoided_processor, relaxed)) move_workers(here, threads, workers);
}

#else

static void forget_placement(void) {}
static void note_placement(int32_t number, pthread_t thread) { (void)number, (void)thread; }
static void keep_workers_off_this_processor(int32_t threads, int32_t workers) { (void)threads, (void)workers; }

#endif

#endif
