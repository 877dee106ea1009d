// RUN: hologram-opt %s --dump-stages-to %S/Inputs/taken -p cse
// EXIT: 2
// ERROR: 00-input.mlir' can't be written

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
