// RUN: hologram-opt %s
// ERROR: hologram-call-type\.mlir:6:3: error: the call does not fit @f: \(f32\) -> \(\)
hologram.function @f(%x: f32) {
}
hologram.kernel @k() block [64, 1, 1] {
  hologram.call @f() : () -> ()
}
