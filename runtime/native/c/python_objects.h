/* What the launcher knows of Python and numpy.

   Python's functions are those of its stable interface. The heads of objects are declared here, and not taken from
   Python.h, because one compiled form serves all versions of Python: launcher.py compares the layouts below with those
   of the running interpreter and numpy before it uses any of this code. */

#ifndef HOLOGRAM_PYTHON_OBJECTS_H
#define HOLOGRAM_PYTHON_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

struct object {
  int64_t reference_count;
  const void *type;
};

/* A float, or a scalar of numpy: the value lies behind the head. */
struct number_object {
  struct object head;
  union {
    double f64;
    float f32;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
  } value;
};

/* The first fields of numpy's arrays. */
struct array_object {
  struct object head;
  int64_t data;
  int32_t rank;
  const int64_t *sizes;
  const int64_t *strides; /* in bytes */
  struct object *base;
  const struct object *dtype;
  int32_t flags;
};

/* PyArray_NewFromDescr of numpy. It takes over a reference to the element type. */
typedef struct object *new_array_function(const struct object *type, struct object *dtype, int32_t rank,
                                          const int64_t *sizes, const int64_t *strides, void *data, int32_t flags,
                                          struct object *base);

struct object *PyBytes_FromStringAndSize(const void *bytes, int64_t size);
int32_t PyErr_CheckSignals(void);
void PyErr_Clear(void);
void PyErr_Fetch(struct object **type, struct object **value, struct object **traceback);
void PyErr_Restore(struct object *type, struct object *value, struct object *traceback);
void PyErr_SetInterrupt(void);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *thread);
int32_t PyGILState_Ensure(void);
void PyGILState_Release(int32_t state);
uint64_t PyThread_get_thread_ident(void);
double PyFloat_AsDouble(struct object *number);
int64_t PyLong_AsLongLongAndOverflow(struct object *number, int32_t *overflow);
struct object *PyObject_Vectorcall(struct object *callable, struct object *const *arguments, int64_t count,
                                   struct object *names);
struct object *PyTuple_GetItem(struct object *tuple, int64_t index);
struct object *PyTuple_New(int64_t size);
int32_t PyTuple_SetItem(struct object *tuple, int64_t index, struct object *item);
int64_t PyTuple_Size(struct object *tuple);
void Py_DecRef(struct object *counted);
void Py_IncRef(struct object *counted);

#endif
