// RUN: hologram-opt %s -p 'hologram-to-cpu{from=clean to=clean}'
// EXIT: 1
// ERROR: rounding-mode.mlir:6:3: error: 'arith.truncf' can be compiled only where it rounds to the nearest number

func.func @f(%x: f32) -> bf16 {
  %y = arith.truncf %x downward : f32 to bf16
  func.return %y : bf16
}
