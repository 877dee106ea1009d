/* What the host code of programs for CUDA calls: launches and copies go to CUDA's driver without Python.

   They work on a context, whose address is the number that host code passes. What fails first is kept in it, and what
   follows does nothing until Python has taken the error. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int32_t cuda_status; /* CUresult */

/* The functions of the driver that are called here: DriverFunctions of cuda_host.py. */
struct driver {
  cuda_status (*set_context)(void *context);
  cuda_status (*launch_graph)(void *graph, void *stream);
  cuda_status (*launch_kernel)(void *function, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z, uint32_t block_x,
                               uint32_t block_y, uint32_t block_z, uint32_t shared_bytes, void *stream,
                               void **arguments, void **extra);
  cuda_status (*copy)(uint64_t target, uint64_t source, size_t bytes, void *stream);
};

enum { SUCCESS = 0, TOO_LARGE = -2 }; /* statuses; TOO_LARGE: a size does not fit 31 bits */
enum { COPY = -1, REPLAY = -2 };      /* what failed, where it is no kernel */

/* KernelSlot of cuda_host.py. */
struct kernel {
  void *function;
  int64_t shared_bytes;  /* of shared memory, beside those that a launch asks for */
  int64_t trap_argument; /* which argument is the trap record; -1 if none is */
};

/* Context of cuda_host.py. */
struct context {
  int64_t status;   /* of what failed first */
  int64_t failed;   /* the number of the kernel that failed, COPY or REPLAY */
  int64_t sizes[7]; /* the grid, the block and the shared bytes of the launch that failed */
  void *cuda;
  void *stream;
  uint64_t trap_record; /* its address on the device */
  const struct kernel *kernels;
  int64_t launch_count;
  const struct driver *driver;
};

/* Keeps the status of something that was asked of the driver, unless it succeeded; returns whether it did. */
static bool check(struct context *context, cuda_status status, int64_t what) {
  if (status == SUCCESS) return true;
  context->status = status;
  context->failed = what;
  return false;
}

/* Makes the device current: other libraries may have chosen another one on this thread. */
static bool enter(struct context *context, int64_t what) {
  return check(context, context->driver->set_context(context->cuda), what);
}

void hologram_device_launch(struct context *context, int32_t number, int64_t grid_x, int64_t grid_y, int64_t grid_z,
                            int64_t block_x, int64_t block_y, int64_t block_z, int64_t shared_bytes, void **arguments) {
  if (context->status != SUCCESS) return;
  if (grid_x == 0 || grid_y == 0 || grid_z == 0) return;
  const struct kernel *kernel = &context->kernels[number];
  shared_bytes += kernel->shared_bytes;
  bool fits = !((grid_x | grid_y | grid_z | block_x | block_y | block_z | shared_bytes) >> 31);
  if (fits && kernel->trap_argument >= 0) arguments[kernel->trap_argument] = &context->trap_record;
  bool succeeded = fits ? enter(context, number) : check(context, TOO_LARGE, number);
  if (succeeded) {
    cuda_status status = context->driver->launch_kernel(kernel->function, grid_x, grid_y, grid_z, block_x, block_y,
                                                        block_z, shared_bytes, context->stream, arguments, NULL);
    context->launch_count++;
    succeeded = check(context, status, number);
  }
  if (succeeded) return;
  int64_t sizes[] = {grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes};
  for (int i = 0; i < 7; i++) context->sizes[i] = sizes[i];
}

void hologram_device_copy(struct context *context, uint64_t target, uint64_t source, uint64_t bytes) {
  if (context->status != SUCCESS || bytes == 0) return;
  if (enter(context, COPY)) check(context, context->driver->copy(target, source, bytes, context->stream), COPY);
}

/* Runs host code while another stream stands in for the context's, and records what is asked of it. */
struct record_words {
  struct context *context;
  void *stream;
  void (*function)(void *words);
  void *words;
};

void hologram_cuda_record(const struct record_words *given) {
  struct context *context = given->context;
  void *own_stream = context->stream;
  context->stream = given->stream;
  given->function(given->words);
  context->stream = own_stream;
}

/* Launches a graph, which was made of a recording, and counts its launches. */
struct replay_words {
  struct context *context;
  void *graph;
  int64_t launch_count;
};

void hologram_cuda_replay(const struct replay_words *given) {
  struct context *context = given->context;
  if (context->status != SUCCESS || !enter(context, REPLAY)) return;
  cuda_status status = context->driver->launch_graph(given->graph, context->stream);
  context->launch_count += given->launch_count;
  check(context, status, REPLAY);
}
