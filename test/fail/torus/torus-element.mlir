// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:21: error: \(1, 2, 3\) is no element of !torus\.coord \[torus-element\]

%c = torus.constant (1, 2, 3) : !torus.coord
