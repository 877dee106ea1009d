// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: \(d0\) -> \(\(d0 \+ 4611686018427387904\)\) can't be written in assembly \[machine-array-map\]

machine.arrays @p(f32[4]) {
  machine.map outs(buf0) ins(buf0) {indexing_maps = [affine_map<(d0) -> (d0 + 4611686018427387904)>], body = @f}
}
