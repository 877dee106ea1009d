/* Launches that can be stopped: those of programs with loops whose count does not follow from the sizes of arrays.

   Such loops look at the first word of the trap record each time they go round. It is 0 as long as they shall go on. A
   thread of Python, `watch.py`, calls `hologram_watch_tick` some times a second, and writes there that the time of a
   launch is over, or asks the main thread to look for signals. What handles those runs then as it does in Python, and
   the launch ends if it raises something. The list of launches is changed and read by holders of the interpreter's lock
   alone. */

#ifndef HOLOGRAM_LAUNCH_WATCH_H
#define HOLOGRAM_LAUNCH_WATCH_H

#include "python_objects.h"

#include <stdatomic.h>
#include <stdbool.h>

/* In the first word of a trap record, beside the numbers of sites. ASKED gives way to all others. */
#define ASKED INT64_C(-1)
#define STOPPED INT64_MAX
#define TIMED_OUT (INT64_MAX - 1)

/* Words of a trap record: eight for what trapped, and one for the function that lanes call when they are asked. */
enum { TRAP_WORDS = 8, ASK_WORD = 8, RECORD_WORDS = 9 };

struct watch {
  struct watch *next;
  _Atomic int64_t *record;
  uint64_t thread;
  int64_t deadline; /* by Python's monotonic clock, in nanoseconds; 0: none */
  struct object *error[3];
};

/* watch.py fills it in. */
struct {
  struct object *begin;        /* called without arguments where nobody ticks: starts the thread that does */
  struct object *find_deadline; /* called without arguments where `deadlines` is not 0: an int */
  int64_t deadlines;           /* how many are set, in all threads */
  int64_t ticking;             /* whether a thread of Python ticks */
  uint64_t main_thread;        /* the identity of the thread that signals are handled in */
} hologram_watch_config;

static struct watch *watches;
static _Atomic int32_t main_sleeps; /* whether the main thread waits for workers, and looks for signals by itself */

/* Python gives an unsigned long, which has 32 bits on Windows. */
static inline uint64_t this_thread(void) {
#ifdef _WIN32
  return (uint32_t)PyThread_get_thread_ident();
#else
  return PyThread_get_thread_ident();
#endif
}

static inline bool change(_Atomic int64_t *word, int64_t from, int64_t to) {
  return atomic_compare_exchange_strong(word, &from, to);
}

static inline bool runs(const struct watch *watch) { return atomic_load(watch->record) <= 0; }

/* Has Python handle the signals that came in. The caller is in the main thread, without the interpreter's lock. */
static void look_for_signals(struct watch *watch) {
  change(watch->record, ASKED, 0);
  if (watch->error[0] || !PyErr_CheckSignals()) return;
  PyErr_Fetch(&watch->error[0], &watch->error[1], &watch->error[2]);
  if (!change(watch->record, 0, STOPPED)) change(watch->record, ASKED, STOPPED);
}

/* What lanes call that find another word than 0: whether they shall leave. */
static int64_t answer(_Atomic int64_t *record) {
  int64_t word = atomic_load(record);
  if (word != ASKED) return word != 0;
  if (this_thread() != hologram_watch_config.main_thread) return 0;
  int32_t state = PyGILState_Ensure();
  for (struct watch *watch = watches; watch; watch = watch->next) {
    if (watch->record != record) continue;
    look_for_signals(watch);
    break;
  }
  PyGILState_Release(state);
  return atomic_load(record) > 0;
}

/* What the pool calls when a caller begins (1) and ends (0) to wait for its workers, and now and then in between (2). */
void hologram_watch_wait(int32_t phase) {
  if (this_thread() != hologram_watch_config.main_thread) return;
  if (phase < 2) {
    atomic_store(&main_sleeps, phase);
    return;
  }
  int32_t state = PyGILState_Ensure();
  struct watch *watch = watches;
  while (watch && watch->thread != hologram_watch_config.main_thread) watch = watch->next;
  if (watch && runs(watch)) look_for_signals(watch);
  PyGILState_Release(state);
}

/* Looks after all launches; false if the thread that calls this shall end, as there were none for long. */
int64_t hologram_watch_tick(int64_t now, int64_t may_end) {
  for (struct watch *watch = watches; watch; watch = watch->next) {
    if (watch->deadline && now >= watch->deadline) {
      if (!change(watch->record, 0, TIMED_OUT)) change(watch->record, ASKED, TIMED_OUT);
    } else if (watch->thread == hologram_watch_config.main_thread && !atomic_load(&main_sleeps)) {
      change(watch->record, 0, ASKED);
    }
  }
  if (watches) return 2;
  hologram_watch_config.ticking = !may_end;
  return !may_end;
}

/* Forgets the launches of threads that a forked child has not. */
void hologram_watch_forked(void) {
  uint64_t here = this_thread();
  hologram_watch_config.main_thread = here;
  hologram_watch_config.ticking = 0;
  atomic_store(&main_sleeps, 0);
  for (struct watch **place = &watches; *place;) {
    if ((*place)->thread == here) {
      place = &(*place)->next;
    } else {
      *place = (*place)->next;
    }
  }
}

/* Asks Python for what a launch needs before it begins; false if that raised an error. */
static __attribute__((noinline, cold)) bool prepare_watch(struct watch *watch) {
  struct object *result;
  if (!hologram_watch_config.ticking) {
    result = PyObject_Vectorcall(hologram_watch_config.begin, NULL, 0, NULL);
    if (!result) return false;
    Py_DecRef(result);
  }
  if (hologram_watch_config.deadlines) {
    int32_t overflow;
    result = PyObject_Vectorcall(hologram_watch_config.find_deadline, NULL, 0, NULL);
    if (!result) return false;
    watch->deadline = PyLong_AsLongLongAndOverflow(result, &overflow);
    Py_DecRef(result);
  }
  return true;
}

/* Calls the packed form of an entry without the interpreter's lock. `record` has RECORD_WORDS, and is 0 but for the
   last. -1 if an error of Python's is set; else what the record then begins with. */
int64_t hologram_run_watched(void (*call)(int64_t *words), int64_t *words, int64_t *record) {
  struct watch watch = {watches, (_Atomic int64_t *)record, this_thread(), 0, {NULL, NULL, NULL}};
  record[ASK_WORD] = (int64_t)answer;
  if (!hologram_watch_config.ticking || hologram_watch_config.deadlines) {
    if (!prepare_watch(&watch)) return -1;
    watch.next = watches;
  }
  watches = &watch;
  void *thread = PyEval_SaveThread();
  call(words);
  PyEval_RestoreThread(thread);
  /* Other threads may have put theirs before it. */
  struct watch **place = &watches;
  while (*place != &watch) place = &(*place)->next;
  *place = watch.next;
  change(watch.record, ASKED, 0);
  if (!watch.error[0]) return record[0];
  PyErr_Restore(watch.error[0], watch.error[1], watch.error[2]);
  return -1;
}

#endif
