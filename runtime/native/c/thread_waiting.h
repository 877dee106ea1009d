/* How threads of the pool sleep until a word changes: by Linux's futex, or by a mutex and a condition. */

#ifndef HOLOGRAM_THREAD_WAITING_H
#define HOLOGRAM_THREAD_WAITING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* Words that different threads write are this far apart: two cache lines, which processors fetch in pairs. */
enum { CACHE_LINES = 128, NANOSECONDS_PER_SECOND = 1000000000 };

#define load(place, order) atomic_load_explicit(&(place), memory_order_##order)
#define store(place, value, order) atomic_store_explicit(&(place), value, memory_order_##order)

static bool sleeps_by_futex;
static _Alignas(CACHE_LINES) pthread_mutex_t mutex;
static _Alignas(CACHE_LINES) pthread_cond_t condition;

static void prepare_waiting(bool use_futex) {
  sleeps_by_futex = use_futex;
  pthread_mutex_init(&mutex, NULL);
  pthread_cond_init(&condition, NULL);
}

/* Sleeps until the word may have another value than was seen, or for so many nanoseconds (below a second), if not 0. */
static __attribute__((noinline)) void wait_while_equal(_Atomic int32_t *word, int32_t seen, int64_t most) {
#ifdef __linux__
  if (sleeps_by_futex) {
    struct timespec time = {0, most};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, most ? &time : NULL, NULL, 0);
    return;
  }
#endif
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += (until.tv_nsec + most) / NANOSECONDS_PER_SECOND;
  until.tv_nsec = (until.tv_nsec + most) % NANOSECONDS_PER_SECOND;
  pthread_mutex_lock(&mutex);
  bool is_late = false;
  while (!is_late && load(*word, seq_cst) == seen) {
    if (most) {
      is_late = pthread_cond_timedwait(&condition, &mutex, &until) != 0;
    } else {
      pthread_cond_wait(&condition, &mutex);
    }
  }
  pthread_mutex_unlock(&mutex);
}

/* Wakes at least so many of those that wait for a word, which has been changed. */
static __attribute__((noinline)) void wake(_Atomic int32_t *word, int32_t count) {
#ifdef __linux__
  if (sleeps_by_futex) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
    return;
  }
#endif
  (void)word, (void)count;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_cond_broadcast(&condition);
}

#endif
