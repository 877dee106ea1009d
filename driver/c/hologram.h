/* Hologram programs in C: load a shared object that hologram-compile made, and run its entries.

   A program's functions can also be called directly, by the prototypes that `hologram-compile --header` writes. This
   interface checks the arguments first, makes the results where they are left out, and says what is wrong.

       hologram_program program;
       hologram_error error;
       const hologram_entry *saxpy;
       int64_t n[] = {1000};
       if (hologram_open("./saxpy.so", &program, &error) || hologram_find(&program, "saxpy", &saxpy, &error))
         return puts(error.message), 1;
       hologram_value arguments[] = {hologram_scalar(HOLOGRAM_F32, &a), hologram_array(HOLOGRAM_F32, x, 1, n), ...};
       if (hologram_run(saxpy, arguments, 3, &error)) return puts(error.message), 1;

   Link with the library that `hologram-compile --c-library` writes. Every function may be called from any thread. */

#ifndef HOLOGRAM_H
#define HOLOGRAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HOLOGRAM_ABI 2
/* The version of this interface: programs of another one are refused. */

/* Element types. Booleans take a byte, 0 or 1; integers of 128 to 4096 bits are limbs of 64 bits, the lowest first. */
enum hologram_dtype {
  HOLOGRAM_F16 = 1, HOLOGRAM_BF16 = 2, HOLOGRAM_F32 = 3, HOLOGRAM_F64 = 4,
  HOLOGRAM_I8 = 5, HOLOGRAM_I16 = 6, HOLOGRAM_I32 = 7, HOLOGRAM_I64 = 8,
  HOLOGRAM_U8 = 9, HOLOGRAM_U16 = 10, HOLOGRAM_U32 = 11, HOLOGRAM_U64 = 12,
  HOLOGRAM_BOOL = 13, HOLOGRAM_INDEX = 14,
  HOLOGRAM_I128 = 15, HOLOGRAM_I256 = 16, HOLOGRAM_I512 = 17, HOLOGRAM_I1024 = 18, HOLOGRAM_I2048 = 19,
  HOLOGRAM_I4096 = 20,
  HOLOGRAM_U128 = 21, HOLOGRAM_U256 = 22, HOLOGRAM_U512 = 23, HOLOGRAM_U1024 = 24, HOLOGRAM_U2048 = 25,
  HOLOGRAM_U4096 = 26,
  HOLOGRAM_F8E4M3FN = 27, HOLOGRAM_F8E5M2 = 28
};

/* What functions return; the error's message says more. */
enum hologram_status {
  HOLOGRAM_OK = 0,
  HOLOGRAM_NO_PROGRAM = 1,  /* the file can't be loaded, or is no program of this version */
  HOLOGRAM_NO_ENTRY = 2,    /* the program has no entry of this name */
  HOLOGRAM_BAD_ARGUMENT = 3,
  HOLOGRAM_NO_MEMORY = 4,
  HOLOGRAM_TRAPPED = 5      /* a lane could not go on: division by zero, an index out of range, ... */
};

typedef struct hologram_error {
  int64_t status;
  char message[1016];
} hologram_error;

/* What a shared object holds: the tables that hologram_find and hologram_run read. */

typedef struct hologram_step { int64_t operation, operand; } hologram_step;

typedef struct hologram_expression {
  const char *text;
  int64_t count;
  const hologram_step *steps;
} hologram_expression;

typedef struct hologram_axis {
  int64_t size;        /* -1: the caller's array decides */
  int64_t word;        /* where the size goes */
  int64_t stride;      /* in elements, of a strided argument */
  int64_t stride_any;  /* 1: the caller's array decides */
  int64_t stride_word;
  hologram_expression result; /* the size of a result that is left out; no text if there is none */
} hologram_axis;

typedef struct hologram_argument {
  const char *name;
  int64_t is_array, dtype, rank;
  int64_t bytes;      /* of an element */
  int64_t alignment;  /* in bytes */
  int64_t written;    /* 1: the program stores to it */
  int64_t word;       /* where its pointer or value goes */
  int64_t strided;    /* 0: elements must lie in C order, without gaps */
  int64_t may_omit;   /* 1: data may be NULL, and memory is then made */
  const hologram_axis *axes;
} hologram_argument;

typedef struct hologram_entry {
  const char *name;
  const char *signature;              /* such as saxpy(a: f32, x: f32[?]) -> (y: f32[?]) */
  void (*call)(const int64_t *words); /* the packed form of the launch ABI */
  int64_t argument_count;
  const hologram_argument *arguments;
  int64_t word_count;
  int64_t constraint_count;
  int64_t early_count;                /* how many of them are about what is never left out: those come first */
  const hologram_expression *constraints;
  int64_t trap_word;                  /* -1: it never traps */
  int64_t site_count;
  const char *const *sites;
  int64_t classes_word;               /* -1: it does not reach class memory */
  int64_t classes_written;            /* 1: it stores to class memory */
  int64_t resonance_word;             /* -1: it adds nothing to R */
} hologram_entry;

typedef struct hologram_table {
  int64_t abi;
  int64_t count;
  const hologram_entry *entries;
} hologram_table;

typedef struct hologram_program {
  void *library;
  const hologram_table *table;
} hologram_program;

/* An argument. The data of a scalar is the number, of 128 to 4096 bits its limbs, aligned to 8 bytes, which must stay
   there while the entry runs and may not lie in an array that is written. Sizes and strides count elements; without
   strides the elements lie in C order. The array of sizes is written where the data is left out. */
typedef struct hologram_value {
  int64_t dtype, rank;
  void *data;
  int64_t *sizes;
  const int64_t *strides;
} hologram_value;

static inline hologram_value hologram_array(int64_t dtype, void *data, int64_t rank, int64_t *sizes) {
  hologram_value value = {dtype, rank, data, sizes, NULL};
  return value;
}

static inline hologram_value hologram_scalar(int64_t dtype, void *number) {
  hologram_value value = {dtype, 0, number, NULL, NULL};
  return value;
}

/* Class memory: 96 classes of 12,288 bytes, at an address that is a multiple of 16. */
enum { HOLOGRAM_CLASSES = 96, HOLOGRAM_CLASS_BYTES = 12288, HOLOGRAM_CLASS_MEMORY_BYTES = 1179648 };

/* A sum of R: a multiple of 2^-64, in two's complement of 128 bits. */
typedef struct hologram_sum {
  uint64_t low;
  int64_t high;
} hologram_sum;

/* What a launch has beside its arguments. */
typedef struct hologram_state {
  void *classes; /* class memory; may be NULL for programs that do not reach it */
  hologram_sum resonance[HOLOGRAM_CLASSES]; /* R of the last launch, summed over its lanes: 0 if it adds nothing */
} hologram_state;

/* Loads a shared object. `error` may be NULL, here and below. */
int64_t hologram_open(const char *path, hologram_program *program, hologram_error *error);

/* Unloads it. Its entries must not be used any more. */
void hologram_close(hologram_program *program);

/* Finds an entry by name. */
int64_t hologram_find(const hologram_program *program, const char *name, const hologram_entry **entry,
                      hologram_error *error);

/* Runs an entry on `count` arguments, in the order of its signature with the results last. A result whose data is NULL
   gets memory, which the caller frees with free(), and its sizes. After an error no memory stays behind; arrays keep what
   was written before a trap. What lanes add to R is lost. */
int64_t hologram_run(const hologram_entry *entry, hologram_value *arguments, int64_t count, hologram_error *error);

/* Runs an entry alike, with class memory and R. Arguments may not overlap class memory that the entry reaches, if it
   writes to one of them. */
int64_t hologram_launch(const hologram_entry *entry, hologram_value *arguments, int64_t count, hologram_state *state,
                        hologram_error *error);

/* New class memory, all 0, which the caller frees with free(). NULL if there is no memory. Several states and threads
   may share class memory; memory of the caller's own does as well. */
void *hologram_new_classes(void);

/* The double next to a sum of R. */
double hologram_sum_value(const hologram_sum *sum);

#ifdef __cplusplus
}
#endif
#endif
