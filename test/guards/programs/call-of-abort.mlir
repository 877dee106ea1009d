// ARGS: [1,2,3]:f32
// WANT: refused guard-foreign-call

func.func private @abort()

func.func @main(%x: memref<?xf32>) {
  func.call @abort() : () -> ()
  func.return
}
