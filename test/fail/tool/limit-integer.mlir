// RUN: hologram-opt %s
// ERROR: limit-integer\.mlir:4:\d+: error: i100000 is wider than the limit of 8192 bits
func.func @f(%x: i32) {
  %a = arith.extsi %x : i32 to i100000
  func.return
}
