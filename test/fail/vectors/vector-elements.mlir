// RUN: hologram-opt %s
// EXIT: 1
// ERROR: vector<4xf32> is made from 4 of its elements, not from \(f32, f32\)
func.func @f(%x: f32) {
  %v = vector.from_elements %x, %x : vector<4xf32>
  func.return
}
