// RUN: hologram-opt %s -p hologram-to-cpu
// EXIT: 1
// ERROR: math-not-expanded.mlir:7:3: error: 'math.acosh' can't be compiled yet: expand-math has no expansion of it \[math-not-expanded\]
// ERROR: %r = math.acosh %a : f32

func.func @f(%a: f32) -> f32 {
  %r = math.acosh %a : f32
  func.return %r : f32
}
