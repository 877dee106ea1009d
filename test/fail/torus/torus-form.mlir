// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'torus\.project' needs scalars, or vectors or tensors of one shape, found vector<4xi64> and tensor<4x!torus\.coord> \[torus-form\]

func.func @f(%n: vector<4xi64>) {
  %c = torus.project %n : vector<4xi64> to tensor<4x!torus.coord>
  func.return
}
