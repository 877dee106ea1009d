/* How threads of the pool sleep until a word changes: by Linux's futex, or by a mutex and a condition. */

#ifndef HOLOGRAM_THREAD_WAITING_H
#define HOLOGRAM_THREAD_WAITING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* Words that different threads write are this far apart: two cache lines, which processors fetch in pairs. */
enum { CACHE_LINES = 128 };

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

/* Sleeps until the word may have another value than was seen. */
static __attribute__((noinline)) void wait_while_equal(_Atomic int32_t *word, int32_t seen) {
#ifdef __linux__
  if (sleeps_by_futex) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
    return;
  }
#endif
  pthread_mutex_lock(&mutex);
  while (load(*word, seq_cst) == seen) pthread_cond_wait(&condition, &mutex);
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
