// RUN: hologram-opt %s
// EXIT: 1
// ERROR: while-types.mlir:8:5: error: what the condition passes on and the loop's results differ: \(\) and \(f32\)

func.func @f(%f: f32) -> f32 {
  %r = scf.while (%x = %f) : (f32) -> f32 {
    %t = arith.constant true
    scf.condition(%t)
  } do {
  ^entry(%y: f32):
    scf.yield %y : f32
  }
  func.return %r : f32
}
