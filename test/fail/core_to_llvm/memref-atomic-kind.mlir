// RUN: hologram-opt %s --disable-verify -p convert-to-llvm
// EXIT: 1
// ERROR: memref.atomic_rmw has no kind 77 \[memref-atomic-kind\]

func.func private @f(%m: memref<4xi32>, %i: index, %x: i32) {
  %r = "memref.atomic_rmw"(%x, %m, %i) <{kind = 77 : i64}> : (i32, memref<4xi32>, index) -> i32
  func.return
}
