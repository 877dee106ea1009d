// ARGS: [1,2,3]:f32
// WANT: trap ub.unreachable: it was reached

func.func @main(%x: memref<?xf32>) {
  ub.unreachable
}
