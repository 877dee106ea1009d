/* The outputs of a launch: arrays that are made where the call leaves them out, and what the call returns. */

#ifndef HOLOGRAM_LAUNCH_OUTPUTS_H
#define HOLOGRAM_LAUNCH_OUTPUTS_H

#include "launch_arguments.h"

/* A new array of the sizes that the axes require; NULL if there can be none. */
static __attribute__((noinline)) struct object *create_output(const struct argument *argument,
                                                              const struct launch *launch) {
  int64_t sizes[MAX_RANK];
  for (int64_t i = 0; i < argument->rank; i++) {
    sizes[i] = required_size(&argument->axes[i], launch);
    if (sizes[i] < 0) return NULL;
  }
  struct object *dtype = (struct object *)argument->dtype;
  Py_IncRef(dtype);
  const struct launch_config *config = &hologram_launch_config;
  struct object *created =
      config->new_array(config->array_type, dtype, (int32_t)argument->rank, sizes, NULL, NULL, 0, NULL);
  if (!created) PyErr_Clear();
  return created;
}

/* A reference to an output for the caller: the one of its creation, or a new one to what the call gave. */
static inline struct object *pass_output(const struct argument *argument, const struct launch *launch) {
  struct object *created = launch->created[argument->position];
  if (created) return created;
  struct object *given = launch->objects[argument->position];
  Py_IncRef(given);
  return given;
}

/* Frees the outputs that were created, where a launch comes to nothing. */
static __attribute__((noinline)) void drop_outputs(const struct kernel *kernel, const struct launch *launch) {
  for (int64_t i = kernel->input_count; i < kernel->argument_count; i++) {
    struct object *created = launch->created[kernel->arguments[i].position];
    if (created) Py_DecRef(created);
  }
}

/* What the call returns: None, the only output, or a tuple. */
static inline struct object *return_outputs(const struct kernel *kernel, const struct launch *launch) {
  const struct argument *outputs = kernel->arguments + kernel->input_count;
  int64_t count = kernel->argument_count - kernel->input_count;
  if (count == 1) return pass_output(outputs, launch);
  if (count == 0) {
    Py_IncRef(hologram_launch_config.none_object);
    return hologram_launch_config.none_object;
  }
  struct object *tuple = PyTuple_New(count);
  if (!tuple) {
    drop_outputs(kernel, launch);
    return NULL;
  }
  for (int64_t i = 0; i < count; i++) PyTuple_SetItem(tuple, i, pass_output(&outputs[i], launch));
  return tuple;
}

#endif
