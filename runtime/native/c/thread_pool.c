/* The pool of threads, for Linux, macOS and other systems with POSIX threads.

   One job runs at a time: a loop, which is taken in parts. Whoever finds the pool taken (another thread of the process,
   or a worker whose part has parallel loops of its own) runs its loop itself. A job is open as long as its caller takes
   parts of it, and workers join an open job, so nobody waits for a worker that sleeps: the caller does all parts that no
   worker takes, closes the job, and waits for those workers alone that joined. */

#include "thread_placement.h"

#include <signal.h>

typedef void loop_body(void *context, int64_t begin, int64_t end);

enum {
  STACK_BYTES = 8 << 20, /* of a worker: as the main thread usually has, for loops keep their small arrays there */
  PARTS_PER_THREAD = 8,
  WAITING = 50000000, /* nanoseconds after which a caller that waits for its workers looks for signals */
};

/* Of `pool.state`: below the number of the job are two flags and the number of workers that are in it. All of them change
   together, by compare-and-exchange, so no worker joins a job that is closed, or another one than it saw. */
enum { NUMBER_SHIFT = 16, OPEN = 1 << 15, CALLER_SLEEPS = 1 << 14, WORKERS = CALLER_SLEEPS - 1 };

static struct {
  /* Settings. */
  _Alignas(CACHE_LINES) _Atomic int32_t threads; /* with that of the caller */
  _Atomic int32_t workers;                       /* that have been started */
  _Atomic uint64_t least_work;                   /* that is worth several threads */
  uint64_t least_part_work;                      /* that is worth taking as a part */
  uint64_t least_wake_work;                      /* that is worth waking workers for */
  int64_t patience;                              /* nanoseconds that idle threads stay awake */
  void (*_Atomic wait)(int32_t phase); /* told when a caller begins (1) and ends (0) to wait, and in between (2) */
  /* The job. */
  _Alignas(CACHE_LINES) loop_body *body;
  void *context;
  int64_t end;
  int64_t part; /* iterations */
  _Atomic int32_t most_workers;
  _Alignas(CACHE_LINES) _Atomic uint64_t state;
  _Alignas(CACHE_LINES) _Atomic int64_t next; /* the first iteration that nobody has taken */
  /* The threads. */
  _Alignas(CACHE_LINES) _Atomic int32_t sleepers;
  _Alignas(CACHE_LINES) _Atomic int32_t wake_count; /* changes when sleeping workers are woken */
  _Alignas(CACHE_LINES) _Atomic int32_t done_count; /* changes when the last worker leaves a caller that sleeps */
  _Alignas(CACHE_LINES) _Atomic int32_t is_taken;
} pool = {.threads = 1};

static int64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * NANOSECONDS_PER_SECOND + now.tv_nsec;
}

static inline void pause_processor(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __builtin_arm_isb(15);
#endif
}

/* Waits a moment before the next look at a word that others write; false when the time is over. Who looks more often
   slows the others, and a look at the clock, at each 16th turn, takes longer than a moment. */
static inline bool spin(int32_t *turn, int64_t until) {
  pause_processor();
  pause_processor();
  return ++*turn % 16 != 0 || nanoseconds() <= until;
}

/* Takes parts of the job until there are none. */
static void work(void) {
  loop_body *body = pool.body;
  void *context = pool.context;
  int64_t end = pool.end, part = pool.part;
  for (;;) {
    int64_t from = atomic_fetch_add_explicit(&pool.next, part, memory_order_relaxed);
    if (from >= end) return;
    body(context, from, from + part < end ? from + part : end);
  }
}

static inline bool is_new_job(uint64_t state, uint64_t last_number) {
  return (state & OPEN) && state >> NUMBER_SHIFT != last_number;
}

/* Waits for a job with another number than the last, and returns its state; sleeps where none comes. */
static uint64_t wait_for_job(uint64_t last_number) {
  for (;;) {
    int64_t until = nanoseconds() + pool.patience;
    for (int32_t turn = 0;;) {
      uint64_t state = load(pool.state, acquire);
      if (is_new_job(state, last_number)) return state;
      if (!spin(&turn, until)) break;
    }
    atomic_fetch_add(&pool.sleepers, 1);
    int32_t seen = load(pool.wake_count, seq_cst);
    if (!is_new_job(load(pool.state, seq_cst), last_number)) wait_while_equal(&pool.wake_count, seen, 0);
    atomic_fetch_sub(&pool.sleepers, 1);
  }
}

/* Becomes one of the workers of the job whose state was seen; false if it has enough of them or is over. */
static bool join_job(uint64_t *state, uint64_t last_number) {
  do {
    if ((int64_t)(*state & WORKERS) >= load(pool.most_workers, relaxed)) return false;
    if (atomic_compare_exchange_strong_explicit(&pool.state, state, *state + 1, memory_order_acq_rel,
                                                memory_order_acquire))
      return true;
  } while (is_new_job(*state, last_number));
  return false;
}

static void *run_worker(void *unused) {
  (void)unused;
  uint64_t last_number = 0;
  for (;;) {
    uint64_t state = wait_for_job(last_number);
    bool joined = join_job(&state, last_number);
    last_number = state >> NUMBER_SHIFT;
    if (!joined) continue;
    work();
    uint64_t before = atomic_fetch_sub_explicit(&pool.state, 1, memory_order_acq_rel);
    if ((before & (CALLER_SLEEPS | WORKERS)) == (CALLER_SLEEPS | 1)) {
      atomic_fetch_add_explicit(&pool.done_count, 1, memory_order_release);
      wake(&pool.done_count, 1);
    }
  }
  return NULL;
}

/* Starts workers until there are as many as wanted. They block all signals, which are the main thread's. */
static __attribute__((noinline, cold)) void start_workers(int32_t wanted) {
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK_BYTES);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  while (load(pool.workers, relaxed) < wanted) {
    int32_t number = load(pool.workers, relaxed);
    pthread_t worker;
    if (pthread_create(&worker, &attributes, run_worker, NULL)) {
      /* The system gives no more threads: those there are have to do. */
      store(pool.threads, number + 1, relaxed);
      break;
    }
    note_placement(number, worker);
    store(pool.workers, number + 1, relaxed);
  }
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* Opens the job for workers. */
static void open_job(loop_body *body, void *context, int64_t begin, int64_t end, int64_t part, int32_t most_workers) {
  pool.body = body;
  pool.context = context;
  pool.end = end;
  pool.part = part;
  store(pool.most_workers, most_workers, relaxed);
  store(pool.next, begin, relaxed);
  uint64_t number = (load(pool.state, relaxed) >> NUMBER_SHIFT) + 1;
  store(pool.state, number << NUMBER_SHIFT | OPEN, seq_cst);
}

/* Closes the job, and waits until no worker is in it. */
static void close_job(void) {
  if (!(atomic_fetch_and_explicit(&pool.state, ~(uint64_t)OPEN, memory_order_acq_rel) & WORKERS)) return;
  int64_t until = nanoseconds() + pool.patience;
  for (int32_t turn = 0;;) {
    if (!(load(pool.state, acquire) & WORKERS)) return;
    if (!spin(&turn, until)) break;
  }
  atomic_fetch_or_explicit(&pool.state, CALLER_SLEEPS, memory_order_acq_rel);
  void (*wait)(int32_t) = load(pool.wait, acquire);
  if (wait) wait(1);
  for (;;) {
    int32_t seen = load(pool.done_count, acquire);
    if (!(load(pool.state, acquire) & WORKERS)) break;
    wait_while_equal(&pool.done_count, seen, wait ? WAITING : 0);
    if (wait) wait(2);
  }
  if (wait) wait(0);
}

/* Takes the pool and starts the workers that it lacks; false if someone else has it, or there are no workers. */
static bool take_pool(int32_t most_workers) {
  int32_t expected = 0;
  if (!atomic_compare_exchange_strong_explicit(&pool.is_taken, &expected, 1, memory_order_acquire,
                                               memory_order_relaxed))
    return false;
  if (load(pool.workers, relaxed) < most_workers) start_workers(most_workers);
  if (load(pool.workers, relaxed)) return true;
  store(pool.is_taken, 0, release);
  return false;
}

/* Calls `body(context, from, to)` for parts of a range that together make up all of it; `cost` is the work of one
   iteration. */
void hologram_pool_run(loop_body *body, void *context, int64_t begin, int64_t end, int64_t cost) {
  int64_t count = end - begin;
  int32_t threads = load(pool.threads, relaxed);
  uint64_t work_of_all;
  bool is_huge = __builtin_mul_overflow((uint64_t)count, (uint64_t)cost, &work_of_all);
  bool is_worth_sharing = threads > 1 && count > 1 && (is_huge || work_of_all >= load(pool.least_work, relaxed));
  if (!is_worth_sharing || !take_pool(threads - 1)) {
    body(context, begin, end);
    return;
  }
  keep_workers_off_this_processor(threads, load(pool.workers, relaxed));
  uint64_t parts = (uint64_t)threads * PARTS_PER_THREAD;
  uint64_t fair_part = ((uint64_t)count + parts - 1) / parts;
  uint64_t least_part = pool.least_part_work / (cost ? (uint64_t)cost : 1) + 1;
  uint64_t part = fair_part > least_part ? fair_part : least_part;
  open_job(body, context, begin, end, (int64_t)part, threads - 1);
  if (load(pool.sleepers, seq_cst) > 0 && (is_huge || work_of_all >= pool.least_wake_work)) {
    uint64_t other_parts = (uint64_t)(count - 1) / part;
    atomic_fetch_add(&pool.wake_count, 1);
    wake(&pool.wake_count, other_parts < (uint64_t)threads - 1 ? (int32_t)other_parts : threads - 1);
  }
  work();
  close_job();
  store(pool.is_taken, 0, release);
}

/* Sets the number of threads, the caller's included, the least work that is worth sharing, being a part, and waking
   workers for, and the nanoseconds that idle threads stay awake. */
void hologram_pool_configure(int32_t threads, uint64_t sharing, uint64_t part, uint64_t waking, int64_t awake) {
  store(pool.threads, threads, relaxed);
  store(pool.least_work, sharing, relaxed);
  pool.least_part_work = part;
  pool.least_wake_work = waking;
  pool.patience = awake;
  forget_placement();
}

/* Sets what is told of callers that wait for their workers. */
void hologram_pool_tell(void (*wait)(int32_t phase)) { store(pool.wait, wait, release); }

/* Makes a pool without workers, as a process is that is new or has been forked off. With `use_futex` threads sleep by
   Linux's system call, else by a mutex and a condition. */
void hologram_pool_reset(int32_t use_futex) {
  store(pool.workers, 0, relaxed);
  store(pool.state, 0, relaxed);
  store(pool.sleepers, 0, relaxed);
  store(pool.is_taken, 0, relaxed);
  forget_placement();
  prepare_waiting(use_futex);
}

/* How many workers have been started. */
int32_t hologram_pool_workers(void) { return load(pool.workers, relaxed); }
