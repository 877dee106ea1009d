// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: \(48, 0\) is no element for modulus 48 and 96 \[torus-elements-range\]

%c = torus.constant (48, 0) : !torus.coord
