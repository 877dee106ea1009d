/* The C library of hologram.h: it loads programs, checks the arguments of their entries, and runs them. */

#include "hologram.h"
#include "shape_expression.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESULT_ALIGNMENT = 64, CLASSES_ALIGNMENT = 16, LIMB_BYTES = 8, PAGE_BYTES = 4096, TRAP_WORDS = 8 };

/* The memory of an array argument. */
struct range {
  uint64_t begin, end; /* equal if it has none */
  bool is_created;     /* for this launch */
};

struct launch {
  const hologram_entry *entry;
  hologram_value *values;
  int64_t *words; /* of the entry's packed form */
  struct range *ranges;
  hologram_state *state;
  hologram_error *error;
};

typedef int64_t check_function(struct launch *launch, const hologram_argument *argument, int64_t number);

/* Writes the error, if one is wanted, and returns the status. */
static __attribute__((noinline, format(printf, 3, 4))) int64_t fail(hologram_error *error, int64_t status,
                                                                    const char *format, ...) {
  if (!error) return status;
  error->status = status;
  va_list values;
  va_start(values, format);
  vsnprintf(error->message, sizeof error->message, format, values);
  va_end(values);
  return status;
}

/* Fails because of an argument: the entry and the argument are the first two texts of the message. */
#define REFUSE(format, ...) \
  fail(launch->error, HOLOGRAM_BAD_ARGUMENT, format, launch->entry->name, argument->name, ##__VA_ARGS__)

/* Programs and their entries. */

int64_t hologram_open(const char *path, hologram_program *program, hologram_error *error) {
  *program = (hologram_program){NULL, NULL};
  void *library = dlopen(path, RTLD_NOW);
  if (!library) return fail(error, HOLOGRAM_NO_PROGRAM, "'%s' can't be loaded: %s", path, dlerror());
  const hologram_table *table = dlsym(library, "hologram_table");
  if (!table) {
    dlclose(library);
    return fail(error, HOLOGRAM_NO_PROGRAM, "'%s' is no program that hologram-compile made: it has no hologram_table",
                path);
  }
  if (table->abi != HOLOGRAM_ABI) {
    int64_t version = table->abi;
    dlclose(library);
    return fail(error, HOLOGRAM_NO_PROGRAM,
                "'%s' has tables of version %" PRId64 ", and this library reads version %d: compile the program again",
                path, version, HOLOGRAM_ABI);
  }
  *program = (hologram_program){library, table};
  return HOLOGRAM_OK;
}

void hologram_close(hologram_program *program) {
  void *library = program->library;
  *program = (hologram_program){NULL, NULL};
  if (library) dlclose(library);
}

int64_t hologram_find(const hologram_program *program, const char *name, const hologram_entry **entry,
                      hologram_error *error) {
  *entry = NULL;
  const hologram_table *table = program->table;
  if (!table) return fail(error, HOLOGRAM_NO_PROGRAM, "there is no '%s': no program is loaded", name);
  for (int64_t i = 0; i < table->count; i++) {
    if (strcmp(table->entries[i].name, name)) continue;
    *entry = &table->entries[i];
    return HOLOGRAM_OK;
  }
  return fail(error, HOLOGRAM_NO_ENTRY, "the program has no entry '%s'; its first is %s", name,
              table->entries->signature);
}

/* Arguments that are given. */

static const char *dtype_name(int64_t dtype) {
  static const char *const names[] = {
      [HOLOGRAM_F16] = "f16",       [HOLOGRAM_BF16] = "bf16",   [HOLOGRAM_F32] = "f32",
      [HOLOGRAM_F64] = "f64",       [HOLOGRAM_I8] = "i8",       [HOLOGRAM_I16] = "i16",
      [HOLOGRAM_I32] = "i32",       [HOLOGRAM_I64] = "i64",     [HOLOGRAM_U8] = "u8",
      [HOLOGRAM_U16] = "u16",       [HOLOGRAM_U32] = "u32",     [HOLOGRAM_U64] = "u64",
      [HOLOGRAM_BOOL] = "bool",     [HOLOGRAM_INDEX] = "index", [HOLOGRAM_I128] = "i128",
      [HOLOGRAM_I256] = "i256",     [HOLOGRAM_I512] = "i512",   [HOLOGRAM_I1024] = "i1024",
      [HOLOGRAM_I2048] = "i2048",   [HOLOGRAM_I4096] = "i4096", [HOLOGRAM_U128] = "u128",
      [HOLOGRAM_U256] = "u256",     [HOLOGRAM_U512] = "u512",   [HOLOGRAM_U1024] = "u1024",
      [HOLOGRAM_U2048] = "u2048",   [HOLOGRAM_U4096] = "u4096", [HOLOGRAM_F8E4M3FN] = "f8E4M3FN",
      [HOLOGRAM_F8E5M2] = "f8E5M2",
  };
  bool is_known = dtype > 0 && dtype < (int64_t)(sizeof names / sizeof *names);
  return is_known ? names[dtype] : "a type that there is not";
}

/* Takes the strides of an array, from the last axis to the first, and the memory from its first byte to its last. */
static int64_t take_strides(struct launch *launch, const hologram_argument *argument, int64_t number, bool is_empty) {
  const hologram_value *value = &launch->values[number];
  int64_t dense_stride = 1, lowest = 0, highest = 0;
  for (int64_t i = argument->rank - 1; i >= 0; i--) {
    const hologram_axis *axis = &argument->axes[i];
    int64_t size = value->sizes[i];
    int64_t stride = value->strides ? value->strides[i] : dense_stride;
    launch->words[axis->stride_word] = stride;
    int64_t required = argument->strided ? axis->stride : dense_stride;
    bool is_free = is_empty || size <= 1 || axis->stride_any;
    if (!is_free && stride != required)
      return REFUSE("%s: argument '%s' has stride %" PRId64 " where it must be %" PRId64, stride, required);
    int64_t reach = (size - 1) * stride;
    lowest += reach < 0 ? reach : 0;
    highest += reach > 0 ? reach : 0;
    dense_stride *= size;
  }
  if (is_empty) return HOLOGRAM_OK;
  launch->ranges[number].begin = (uint64_t)value->data + lowest * argument->bytes;
  launch->ranges[number].end = (uint64_t)value->data + (highest + 1) * argument->bytes;
  return HOLOGRAM_OK;
}

static int64_t take_array(struct launch *launch, const hologram_argument *argument, int64_t number) {
  const hologram_value *value = &launch->values[number];
  if (!value->sizes && argument->rank) return REFUSE("%s: argument '%s' has no sizes");
  int64_t bytes = argument->bytes;
  for (int64_t i = 0; i < argument->rank; i++) {
    const hologram_axis *axis = &argument->axes[i];
    int64_t size = value->sizes[i];
    bool is_free = axis->size < 0;
    if (size < 0 || (!is_free && size != axis->size))
      return REFUSE("%s: argument '%s' must have sizes %s: that of axis %" PRId64 " is %" PRId64,
                    is_free ? "at least 0" : "as its type says", i, size);
    launch->words[axis->word] = size;
    if (__builtin_mul_overflow(bytes, size, &bytes))
      return REFUSE("%s: argument '%s' has more bytes than 64 bits count");
  }
  launch->words[argument->word] = (int64_t)value->data;
  if (bytes && !value->data) return REFUSE("%s: argument '%s' has no memory: data is NULL");
  if (bytes && (uint64_t)value->data % argument->alignment)
    return REFUSE("%s: argument '%s' is not aligned to %" PRId64 " bytes", argument->alignment);
  return take_strides(launch, argument, number, bytes == 0);
}

static int64_t take_scalar(struct launch *launch, const hologram_argument *argument, int64_t number) {
  void *data = launch->values[number].data;
  if (!data) return REFUSE("%s: argument '%s' has no memory: data is NULL");
  if (argument->bytes <= (int64_t)sizeof(int64_t)) {
    memcpy(&launch->words[argument->word], data, argument->bytes);
    return HOLOGRAM_OK;
  }
  /* Wide integers are passed by a pointer to their limbs. */
  launch->words[argument->word] = (int64_t)data;
  if ((uint64_t)data % LIMB_BYTES) return REFUSE("%s: argument '%s' is not aligned to %d bytes", LIMB_BYTES);
  return HOLOGRAM_OK;
}

/* Checks an argument, unless it is a result that is left out, and notes what the launch needs of it. */
static int64_t take_given(struct launch *launch, const hologram_argument *argument, int64_t number) {
  const hologram_value *value = &launch->values[number];
  if (value->dtype != argument->dtype)
    return REFUSE("%s: argument '%s' is of type %s, and must be %s", dtype_name(value->dtype),
                  dtype_name(argument->dtype));
  if (value->rank != argument->rank)
    return REFUSE("%s: argument '%s' has %" PRId64 " axes, and must have %" PRId64, value->rank, argument->rank);
  if (!value->data && argument->may_omit) return HOLOGRAM_OK;
  return argument->is_array ? take_array(launch, argument, number) : take_scalar(launch, argument, number);
}

/* Results. */

/* Creates the memory of a result whose sizes are known. */
static int64_t create_result(struct launch *launch, const hologram_argument *argument, int64_t number) {
  hologram_value *value = &launch->values[number];
  value->strides = NULL;
  int64_t bytes = argument->bytes;
  bool is_too_large = false;
  for (int64_t i = 0; i < argument->rank; i++) is_too_large |= __builtin_mul_overflow(bytes, value->sizes[i], &bytes);
  int64_t units = ((bytes ? bytes : 1) + RESULT_ALIGNMENT - 1) / RESULT_ALIGNMENT;
  void *memory = is_too_large ? NULL : aligned_alloc(RESULT_ALIGNMENT, units * RESULT_ALIGNMENT);
  if (!memory)
    return fail(launch->error, HOLOGRAM_NO_MEMORY, "%s: there is no memory for the result '%s'", launch->entry->name,
                argument->name);
  value->data = memory;
  launch->ranges[number].is_created = true;
  return take_array(launch, argument, number);
}

/* Computes the sizes of a result, and compares them with those given, or creates the result where it is left out. */
static int64_t take_result(struct launch *launch, const hologram_argument *argument, int64_t number) {
  if (!argument->may_omit) return HOLOGRAM_OK;
  hologram_value *value = &launch->values[number];
  if (!value->sizes && argument->rank) return REFUSE("%s: argument '%s' has no sizes");
  /* Expressions end by keeping their value in the last word. */
  const int64_t *size = &launch->words[launch->entry->word_count - 1];
  for (int64_t i = 0; i < argument->rank; i++) {
    const hologram_expression *expression = &argument->axes[i].result;
    if (!evaluate_shape((const struct shape_step *)expression->steps, expression->count, launch->words) || *size < 0)
      return REFUSE("%s: the result '%s' has no size: %s gives none for axis %" PRId64, expression->text, i);
    if (value->data && value->sizes[i] != *size)
      return REFUSE("%s: the result '%s' has size %" PRId64 " on an axis where it must be %" PRId64, value->sizes[i],
                    *size);
    value->sizes[i] = *size;
  }
  return value->data ? HOLOGRAM_OK : create_result(launch, argument, number);
}

/* Memory that may not be shared. */

static bool overlap(struct range a, struct range b) { return a.begin < b.end && b.begin < a.end; }

/* Checks that no later argument shares memory with one, where one of the two is written. */
static int64_t check_apart(struct launch *launch, const hologram_argument *argument, int64_t number) {
  for (int64_t i = number + 1; i < launch->entry->argument_count; i++) {
    const hologram_argument *other = &launch->entry->arguments[i];
    if ((argument->written || other->written) && overlap(launch->ranges[number], launch->ranges[i]))
      return REFUSE("%s: arguments '%s' and '%s' share memory, and one of them is written", other->name);
  }
  return HOLOGRAM_OK;
}

/* Checks that an argument has no bytes in class memory, where the entry writes to one of the two. */
static int64_t check_outside_classes(struct launch *launch, const hologram_argument *argument, int64_t number) {
  uint64_t begin = (uint64_t)launch->state->classes;
  struct range classes = {begin, begin + HOLOGRAM_CLASS_MEMORY_BYTES, false};
  bool is_written = argument->written || launch->entry->classes_written;
  if (is_written && overlap(launch->ranges[number], classes))
    return REFUSE("%s: argument '%s' lies in class memory, which the program reaches by itself");
  return HOLOGRAM_OK;
}

/* Launches. */

/* Calls a function for each argument until one fails. */
static int64_t for_each_argument(struct launch *launch, check_function *check) {
  const hologram_entry *entry = launch->entry;
  int64_t status = HOLOGRAM_OK;
  for (int64_t i = 0; !status && i < entry->argument_count; i++) status = check(launch, &entry->arguments[i], i);
  return status;
}

/* Checks the constraints from one number to another. */
static int64_t check_constraints(struct launch *launch, int64_t from, int64_t to) {
  for (int64_t i = from; i < to; i++) {
    const hologram_expression *constraint = &launch->entry->constraints[i];
    if (!evaluate_shape((const struct shape_step *)constraint->steps, constraint->count, launch->words))
      return fail(launch->error, HOLOGRAM_BAD_ARGUMENT, "%s: the arguments do not satisfy %s", launch->entry->signature,
                  constraint->text);
  }
  return HOLOGRAM_OK;
}

/* Passes class memory and the sums of R to an entry that uses them. */
static int64_t pass_state(struct launch *launch) {
  const hologram_entry *entry = launch->entry;
  hologram_state *state = launch->state;
  if (entry->resonance_word >= 0) launch->words[entry->resonance_word] = (int64_t)state->resonance;
  if (entry->classes_word < 0) return HOLOGRAM_OK;
  if (!state->classes)
    return fail(launch->error, HOLOGRAM_BAD_ARGUMENT,
                "%s reaches class memory: run it by hologram_launch, with a state whose classes are not NULL",
                entry->name);
  if ((uint64_t)state->classes % CLASSES_ALIGNMENT)
    return fail(launch->error, HOLOGRAM_BAD_ARGUMENT, "%s: class memory is not aligned to %d bytes", entry->name,
                CLASSES_ALIGNMENT);
  launch->words[entry->classes_word] = (int64_t)state->classes;
  return for_each_argument(launch, check_outside_classes);
}

/* Fills the words of a launch. */
static int64_t prepare(struct launch *launch) {
  const hologram_entry *entry = launch->entry;
  int64_t status = for_each_argument(launch, take_given);
  if (!status) status = check_constraints(launch, 0, entry->early_count);
  if (!status) status = for_each_argument(launch, take_result);
  if (!status) status = check_constraints(launch, entry->early_count, entry->constraint_count);
  if (!status) status = for_each_argument(launch, check_apart);
  if (!status) status = pass_state(launch);
  return status;
}

/* Calls the entry, and reports a trap. */
static int64_t call(struct launch *launch) {
  const hologram_entry *entry = launch->entry;
  int64_t trap[TRAP_WORDS] = {0};
  if (entry->trap_word >= 0) launch->words[entry->trap_word] = (int64_t)trap;
  entry->call(launch->words);
  if (!trap[0]) return HOLOGRAM_OK;
  return fail(launch->error, HOLOGRAM_TRAPPED, "%s: %s; lane %" PRId64, entry->name, entry->sites[trap[0] - 1],
              trap[1]);
}

int64_t hologram_launch(const hologram_entry *entry, hologram_value *values, int64_t count, hologram_state *state,
                        hologram_error *error) {
  hologram_state no_state;
  if (!state) {
    state = &no_state;
    state->classes = NULL;
  }
  memset(state->resonance, 0, sizeof state->resonance);
  if (count != entry->argument_count)
    return fail(error, HOLOGRAM_BAD_ARGUMENT, "%s: %" PRId64 " arguments are given, and it takes %" PRId64,
                entry->signature, count, entry->argument_count);
  int64_t words[entry->word_count];
  memset(words, 0, sizeof words);
  struct range ranges[count + 1];
  memset(ranges, 0, sizeof ranges);
  struct launch launch = {entry, values, words, ranges, state, error};
  int64_t status = prepare(&launch);
  if (!status) status = call(&launch);
  for (int64_t i = 0; status && i < count; i++) {
    if (!ranges[i].is_created) continue;
    free(values[i].data);
    values[i].data = NULL;
  }
  return status;
}

int64_t hologram_run(const hologram_entry *entry, hologram_value *values, int64_t count, hologram_error *error) {
  return hologram_launch(entry, values, count, NULL, error);
}

/* Class memory and R. */

void *hologram_new_classes(void) {
  void *classes = aligned_alloc(PAGE_BYTES, HOLOGRAM_CLASS_MEMORY_BYTES);
  if (classes) memset(classes, 0, HOLOGRAM_CLASS_MEMORY_BYTES);
  return classes;
}

double hologram_sum_value(const hologram_sum *sum) {
  unsigned __int128 value = (unsigned __int128)(uint64_t)sum->high << 64 | sum->low;
  bool is_negative = sum->high < 0;
  unsigned __int128 magnitude = is_negative ? -value : value;
  if (magnitude == 0) return 0;
  uint64_t high = (uint64_t)(magnitude >> 64);
  int zeros = high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)magnitude);
  magnitude <<= zeros;
  /* The highest 64 bits, with a last bit that says whether more follows, round as all of them do. */
  uint64_t digits = (uint64_t)(magnitude >> 64) | ((uint64_t)magnitude != 0);
  union {
    uint64_t bits;
    double value;
  } scale = {(uint64_t)(1023 - zeros) << 52};
  double rounded = (double)digits * scale.value;
  return is_negative ? -rounded : rounded;
}
