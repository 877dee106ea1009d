/* What a launch must know of an entry, as structs that launch_table.py builds when the entry is loaded, and what the
   launcher must know of the interpreter, which launcher.py writes once. All fields have 64 bits. */

#ifndef HOLOGRAM_LAUNCH_TABLE_H
#define HOLOGRAM_LAUNCH_TABLE_H

#include "python_objects.h"
#include "shape_expression.h"

/* Entries beyond these bounds are launched by Python. */
enum { MAX_WORDS = 128, MAX_ARGUMENTS = 64, MAX_RANK = 16 };

enum { ANY_SIZE = -1, NO_WORD = -1 };

struct axis {
  int64_t size;        /* the size required, ANY_SIZE, or -2 - w for the size that word w holds */
  int64_t size_word;   /* where the size of the array goes */
  int64_t stride;      /* the stride required, in elements */
  int64_t has_stride;  /* whether one is required */
  int64_t stride_word; /* where the stride of the array goes */
};

enum argument_kind { ARRAY, F64, F32, INTEGER, BOOLEAN };

struct argument {
  int64_t kind;               /* an argument_kind; Python takes arguments of any other */
  int64_t word;               /* where the pointer or the value goes */
  const struct object *dtype; /* of arrays: the element type, as numpy's object */
  int64_t rank;
  int64_t flags;      /* numpy's flags that an array must have */
  int64_t item_shift; /* the binary logarithm of the bytes of an element */
  const struct axis *axes;
  int64_t strided; /* whether strides are passed or required */
  int64_t least;   /* of integers */
  int64_t largest;
  int64_t position; /* among the entry's arguments */
  int64_t input;    /* among the arguments that every call gives */
};

struct word_pair {
  int64_t first, second;
};

struct kernel {
  void (*call)(int64_t *words); /* the packed form of the entry */
  int64_t argument_count;
  int64_t input_count;              /* how many arguments every call gives; the others are outputs */
  const struct argument *arguments; /* the inputs come first */
  const struct shape_step *checks;  /* of the inputs; they also compute the sizes of outputs */
  int64_t check_count;
  const struct shape_step *output_checks;
  int64_t output_check_count;
  const struct word_pair *disjoint; /* pointers to memory that may not overlap */
  int64_t disjoint_count;
  int64_t trap_word;      /* of the trap record, or NO_WORD */
  int64_t release_bytes;  /* where arrays have more bytes than this together, other threads of Python run */
  int64_t classes_word;   /* of class memory, or NO_WORD */
  int64_t class_memory;   /* its address */
  int64_t resonance_word; /* of the sums of R, or NO_WORD */
  int64_t watched;        /* whether launches can be stopped: then release_bytes is -1, and there is a trap record */
};

/* What a scalar of numpy holds. NUMBERS of launcher.py has the same order. */
enum number_format { AS_F64, AS_F32, AS_BOOLEAN, AS_I8, AS_I16, AS_I32, AS_I64, AS_U8, AS_U16, AS_U32, AS_U64 };

struct number_type {
  const void *type;
  int64_t format;
};

struct launch_config {
  const struct object *array_type; /* numpy.ndarray */
  const struct object *float_type, *int_type;
  struct object *true_object, *false_object, *none_object;
  struct object *python_call; /* called with the kernel and the arguments of a call that is not accepted here */
  struct object *raise_trap;  /* called with the kernel and the bytes of the trap record */
  const struct number_type *number_types;
  int64_t number_type_count;
  new_array_function *new_array;
  const struct object *out_name; /* the string "out" */
  int64_t table_offset;          /* where kernel objects hold the address of their `kernel` struct */
};

/* The numbers of hologram.classes. */
enum { CLASS_COUNT = 96, CLASS_MEMORY_BYTES = 1179648 };

#endif
