// RUN: hologram-opt %s -p convert-to-llvm
// EXIT: 1
// ERROR: memref.atomic_rmw of kind 1 is not for elements of i24
// ERROR: hint: kinds are for floats or for integers

func.func private @main(%x: memref<?xi24>, %v: i24) {
  %c0 = arith.constant 0 : index
  %r = "memref.atomic_rmw"(%v, %x, %c0) <{kind = 1 : i64}> : (i24, memref<?xi24>, index) -> i24
  func.return
}
