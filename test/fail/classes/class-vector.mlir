// RUN: hologram-opt %s
// ERROR: 'class.mirror' takes vectors of one dimension, found vector<2x4xi32>

func.func @f(%c: vector<2x4xi32>) {
  %0 = class.mirror %c : vector<2x4xi32>
  func.return
}
