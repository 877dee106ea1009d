// RUN: hologram-opt %s -p convert-math-to-llvm
// EXIT: 1
// ERROR: :7:3: error: math.exp has no lowering to llvm
// ERROR: hint: run expand-math before

func.func @f(%x: f32) -> f32 {
  %y = math.exp %x : f32
  func.return %y : f32
}
