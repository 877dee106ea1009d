// RUN: hologram-opt %s
// EXIT: 1
// ERROR: verify-no-terminator.mlir:6:3: error: 'arith.constant' ends a block of 'func.func'

func.func @f() {
  %x = arith.constant 1 : i32
}
