// RUN: hologram-opt %s -p convert-func-to-llvm
// EXIT: 1
// ERROR: hologram.type = "u16" doesn't describe an argument of type memref<4xi32> \[entry-type-attribute\]

func.func @f(%m: memref<4xi32> {hologram.type = "u16"}) {
  func.return
}
