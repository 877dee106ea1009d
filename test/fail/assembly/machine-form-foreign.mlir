// RUN: hologram-opt %s -t atlas-asm
// EXIT: 1
// ERROR: :6:1: error: 'func.func' is not of the machine form \[machine-form-foreign\]
// ERROR: hint: assembly and binary hold machine.program

func.func @f() {
  func.return
}
