// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: 2 elements do not fill tensor<3x!torus\.coord> \[torus-elements-count\]

%c = torus.constant [(1, 2), (3, 4)] : tensor<3x!torus.coord>
