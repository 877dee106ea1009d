/* A launch whose arguments are settled: a function of Python without arguments, which calls the host code of a program
   for a device and does no more. */

#include "python_objects.h"

/* _Plan of device_prepared.py: what the function's capsule holds. */
struct prepared_launch {
  void (*call)(void *words); /* the packed form of the host code */
  void *words;
  const int64_t *status; /* not 0 if something failed */
  struct object *raise;  /* called without arguments where something failed */
  struct object *none_object;
};

struct object *PyCapsule_GetPointer(struct object *capsule, const char *name);
struct object *PyObject_CallNoArgs(struct object *callable);

struct object *hologram_prepared(struct object *capsule, struct object *unused) {
  (void)unused;
  const struct prepared_launch *launch = (void *)PyCapsule_GetPointer(capsule, NULL);
  launch->call(launch->words);
  if (*launch->status) return PyObject_CallNoArgs(launch->raise);
  Py_IncRef(launch->none_object);
  return launch->none_object;
}
