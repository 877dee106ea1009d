// ARGS: [1,2,3]:f32
// WANT: refused guard-foreign-call

func.func private @system(i64) -> i32

func.func @main(%x: memref<?xf32>) {
  %p = arith.constant 0 : i64
  %r = func.call @system(%p) : (i64) -> i32
  func.return
}
