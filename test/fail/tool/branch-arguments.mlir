// RUN: hologram-opt %s
// EXIT: 1
// ERROR: branch-arguments.mlir:6:3: error: 'cf.br' passes \(i64\) to a block that takes \(i32\)

func.func @f(%a: i64) -> i32 {
  cf.br ^end(%a : i64)
^end(%x: i32):
  func.return %x : i32
}
