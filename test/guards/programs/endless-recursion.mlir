// ARGS: [1,2,3]:f32
// WANT: refused guard-recursion

func.func private @again(%i: index) -> index {
  %r = func.call @again(%i) : (index) -> index
  %s = arith.addi %r, %i : index
  func.return %s : index
}

func.func @main(%x: memref<?xf32>) {
  %i = arith.constant 1 : index
  %r = func.call @again(%i) : (index) -> index
  func.return
}
