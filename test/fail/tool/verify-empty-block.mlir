// RUN: hologram-opt %s
// EXIT: 1
// ERROR: verify-empty-block.mlir:5:1: error: 'func.func' holds an empty block

func.func @f() {
^entry:
}
