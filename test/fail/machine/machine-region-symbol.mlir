// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :9:3: error: there is no function 'bodi' \[machine-region-symbol\]

machine.func @body() {
  machine.ret
}
machine.arrays @p(f32[4]) {
  machine.map outs(buf0) {indexing_maps = [affine_map<(d0) -> (d0)>], body = @bodi}
}
