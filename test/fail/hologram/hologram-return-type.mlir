// RUN: hologram-opt %s
// ERROR: hologram-return-type\.mlir:4:3: error: this returns \(\), and should \(f32\)
hologram.function @f(%x: f32) -> (f32) {
  hologram.return
}
