// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: vector<2x3xf32> has not the elements of vector<5xf32> \[operation-rule\]

func.func @f(%v: vector<2x3xf32>) {
  %r = vector.shape_cast %v : vector<2x3xf32> to vector<5xf32>
  func.return
}
