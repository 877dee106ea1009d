/* The launcher: the function that Python calls when a kernel object is called.

   It checks the arguments by the kernel's table, writes pointers, sizes, strides and scalars into 64-bit words, calls
   the entry's packed form, and returns the outputs, which it creates where the call leaves them out. Any call that it
   does not accept goes to Python's own implementation of the call, with the same arguments. That accepts the call or
   explains what is wrong with it, so no error has its cause here, and both accept the same calls. */

#include "launch_outputs.h"
#include "parallel_loop.h"

/* Puts the arguments of a call into the entry's order; false if their number or their names are wrong. */
static inline bool order_arguments(const struct kernel *kernel, struct object *const *given, int64_t count,
                                   struct object *names, struct launch *launch) {
  int64_t input_count = kernel->input_count, argument_count = kernel->argument_count;
  if (!names && count == argument_count) {
    for (int64_t i = 0; i < count; i++) launch->objects[i] = given[i];
    return true;
  }
  if (count != input_count) return false;
  struct object *output = NULL;
  if (names) {
    /* A single output may be given as out=. Names of keywords are interned strings, and so is `out_name`. */
    if (PyTuple_Size(names) != 1 || argument_count - input_count != 1) return false;
    if (PyTuple_GetItem(names, 0) != hologram_launch_config.out_name) return false;
    output = given[input_count];
  }
  for (int64_t i = 0; i < argument_count; i++) {
    const struct argument *argument = &kernel->arguments[i];
    launch->objects[argument->position] = i < input_count ? given[argument->input] : output;
  }
  return true;
}

/* Takes the arguments from one number to another, and creates outputs that the call leaves out. */
static inline bool take_arguments(const struct kernel *kernel, int64_t from, int64_t to, struct launch *launch) {
  for (int64_t i = from; i < to; i++) {
    const struct argument *argument = &kernel->arguments[i];
    struct object *given = launch->objects[argument->position];
    if (argument->kind != ARRAY) {
      if (!take_scalar(given, argument, launch)) return false;
      continue;
    }
    if (!given) {
      given = launch->created[argument->position] = create_output(argument, launch);
      if (!given) return false;
    }
    if (!take_array(given, argument, launch)) return false;
  }
  return true;
}

/* Whether no two arrays, and no array and class memory, share bytes that one of them writes. */
static inline bool are_disjoint(const struct kernel *kernel, const struct launch *launch) {
  for (int64_t i = 0; i < kernel->disjoint_count; i++) {
    int64_t a = kernel->disjoint[i].first, b = kernel->disjoint[i].second;
    bool a_starts_first = (uint64_t)launch->words[a] < (uint64_t)launch->ends[b];
    bool b_starts_first = (uint64_t)launch->words[b] < (uint64_t)launch->ends[a];
    if (a_starts_first && b_starts_first) return false;
  }
  return true;
}

/* Fills the words of a launch from the arguments of a call; false if the call is not accepted. */
static inline bool accept(const struct kernel *kernel, struct object *const *given, int64_t count, struct object *names,
                          struct launch *launch) {
  launch->bytes = 0;
  for (int64_t i = kernel->input_count; i < kernel->argument_count; i++)
    launch->created[kernel->arguments[i].position] = NULL;
  if (!order_arguments(kernel, given, count, names, launch)) return false;
  if (!take_arguments(kernel, 0, kernel->input_count, launch)) return false;
  if (kernel->check_count && !evaluate_shape(kernel->checks, kernel->check_count, launch->words)) return false;
  if (!take_arguments(kernel, kernel->input_count, kernel->argument_count, launch)) return false;
  if (kernel->output_check_count && !evaluate_shape(kernel->output_checks, kernel->output_check_count, launch->words))
    return false;
  if (kernel->classes_word != NO_WORD) {
    launch->words[kernel->classes_word] = kernel->class_memory;
    launch->ends[kernel->classes_word] = kernel->class_memory + CLASS_MEMORY_BYTES;
  }
  return are_disjoint(kernel, launch);
}

/* Runs the kernel, without the interpreter's lock if the arrays are large or nobody knows how long it takes. Returns the
   trap record's first word, or -1 if an error of Python's is set. Memory is cleared in place: the runtime does not look
   for memset. */
static inline int64_t run(const struct kernel *kernel, struct launch *launch) {
  bool can_trap = kernel->trap_word != NO_WORD;
  if (can_trap) {
    __builtin_memset_inline(launch->trap, 0, TRAP_WORDS * sizeof *launch->trap);
    launch->words[kernel->trap_word] = (int64_t)launch->trap;
  }
  if (launch->bytes > kernel->release_bytes) {
    if (kernel->watched) return hologram_run_watched(kernel->call, launch->words, launch->trap);
    void *thread = PyEval_SaveThread();
    kernel->call(launch->words);
    PyEval_RestoreThread(thread);
  } else {
    kernel->call(launch->words);
  }
  return can_trap ? launch->trap[0] : 0;
}

/* Runs a kernel that adds to the sums of R, which a call forgets. The frame is apart from that of other launches. */
static __attribute__((noinline)) int64_t run_with_sums(const struct kernel *kernel, struct launch *launch) {
  int64_t sums[2 * CLASS_COUNT];
  __builtin_memset_inline(sums, 0, sizeof sums);
  launch->words[kernel->resonance_word] = (int64_t)sums;
  return run(kernel, launch);
}

/* Calls Python's implementation with the same arguments. */
static __attribute__((noinline)) struct object *call_python(struct object *self, struct object *const *given,
                                                            int64_t count, struct object *names) {
  int64_t all = count + (names ? PyTuple_Size(names) : 0);
  struct object *arguments[all + 1];
  arguments[0] = self;
  for (int64_t i = 0; i < all; i++) arguments[i + 1] = given[i];
  return PyObject_Vectorcall(hologram_launch_config.python_call, arguments, count + 1, names);
}

/* Raises the error that the trap record describes. */
static __attribute__((noinline)) struct object *raise_trap(struct object *self, const struct launch *launch) {
  struct object *record = PyBytes_FromStringAndSize(launch->trap, TRAP_WORDS * sizeof *launch->trap);
  if (!record) return NULL;
  struct object *arguments[] = {self, record};
  struct object *result = PyObject_Vectorcall(hologram_launch_config.raise_trap, arguments, 2, NULL);
  Py_DecRef(record);
  return result;
}

/* The vectorcall function of kernel objects. */
struct object *hologram_launch(struct object *self, struct object *const *given, uint64_t flagged_count,
                               struct object *names) {
  const struct kernel *kernel = *(struct kernel **)((char *)self + hologram_launch_config.table_offset);
  /* The highest bit says that the place before the arguments may be written. */
  int64_t count = flagged_count & INT64_MAX;
  struct launch launch;
  if (!accept(kernel, given, count, names, &launch)) {
    drop_outputs(kernel, &launch);
    return call_python(self, given, count, names);
  }
  bool adds_to_sums = kernel->resonance_word != NO_WORD;
  int64_t trapped = adds_to_sums ? run_with_sums(kernel, &launch) : run(kernel, &launch);
  if (trapped) {
    drop_outputs(kernel, &launch);
    return trapped < 0 ? NULL : raise_trap(self, &launch);
  }
  return return_outputs(kernel, &launch);
}
