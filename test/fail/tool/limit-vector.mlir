// RUN: hologram-opt %s
// ERROR: limit-vector\.mlir:4:\d+: error: vector<1000x1000xf32> has 1000000 elements, and the limit is 4096
func.func @f(%x: f32) {
  %a = vector.broadcast %x : f32 to vector<1000x1000xf32>
  func.return
}
