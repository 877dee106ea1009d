// ARGS: [1,2,3]:f32
// WANT: refused guard-raw-pointer

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = arith.constant 64 : i64
  %p = llvm.inttoptr %w : i64 to !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> f32
  func.return
}
