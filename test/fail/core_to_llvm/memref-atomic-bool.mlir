// RUN: hologram-opt %s -p convert-to-llvm
// EXIT: 1
// ERROR: memref.atomic_rmw on i1 has no lowering to llvm \[memref-atomic-bool\]

func.func private @f(%m: memref<4xi1>, %i: index, %x: i1) {
  %r = "memref.atomic_rmw"(%x, %m, %i) <{kind = 14 : i64}> : (i1, memref<4xi1>, index) -> i1
  func.return
}
