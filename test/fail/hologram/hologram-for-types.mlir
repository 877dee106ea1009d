// RUN: hologram-opt %s
// ERROR: hologram-for-types\.mlir:5:3: error: start, stop, step and number have one type, not \(i64, i64, i64, i32\)
hologram.kernel @k(%n: i64) block [64, 1, 1] {
  %x = atlas.mov_imm 0 : i64
  "hologram.for"(%x, %x, %n) ({
  ^bb0(%i: i32):
  }) : (i64, i64, i64) -> ()
}
