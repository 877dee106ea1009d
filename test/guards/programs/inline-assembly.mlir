// ARGS: [1,2,3]:f32
// WANT: refused guard-raw-pointer

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  llvm.inline_asm has_side_effects "ud2", "" : () -> ()
  func.return
}
