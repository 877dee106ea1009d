/* Runs examples/saxpy.mlir from C:

     hologram-compile examples/saxpy.mlir -o saxpy.so --c-library .
     cc examples/saxpy.c -I. -L. -lhologram -Wl,-rpath,. -o saxpy
     ./saxpy ./saxpy.so */

#include <stdio.h>
#include <stdlib.h>

#include "hologram.h"

enum { N = 1000 };

static int failed(const hologram_error *error) {
  fprintf(stderr, "error: %s\n", error->message);
  return 1;
}

int main(int count, char **words) {
  hologram_program program;
  hologram_error error;
  const hologram_entry *saxpy;
  if (hologram_open(count > 1 ? words[1] : "./saxpy.so", &program, &error)) return failed(&error);
  if (hologram_find(&program, "saxpy", &saxpy, &error)) return failed(&error);

  static float x[N], y[N];
  for (int i = 0; i < N; i++) x[i] = (float)i, y[i] = 1;
  float a = 2;
  int64_t sizes[] = {N}, made[1];
  /* The result is left out: it gets memory and its size. */
  hologram_value arguments[] = {
      hologram_scalar(HOLOGRAM_F32, &a),
      hologram_array(HOLOGRAM_F32, x, 1, sizes),
      hologram_array(HOLOGRAM_F32, y, 1, sizes),
      hologram_array(HOLOGRAM_F32, NULL, 1, made),
  };
  if (hologram_run(saxpy, arguments, 4, &error)) return failed(&error);

  const float *result = arguments[3].data;
  printf("%s\n%lld results, the last is %g\n", saxpy->signature, (long long)made[0], result[N - 1]);
  free(arguments[3].data);
  hologram_close(&program);
  return 0;
}
