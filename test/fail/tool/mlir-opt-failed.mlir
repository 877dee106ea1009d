// RUN: hologram-opt %s -p 'mlir-opt{executable=false}'
// EXIT: 1
// ERROR: mlir-opt-failed.mlir:5:1: error: false failed: exit code 1

func.func @f() {
  func.return
}
