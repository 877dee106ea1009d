// RUN: hologram-opt %s
// ERROR: hologram-while-condition\.mlir:4:3: error: the first region of 'hologram\.while' ends in 'hologram\.condition'
hologram.kernel @k() block [64, 1, 1] {
  hologram.while {
    %p = atlas.mov_imm true
  } do {
  }
}
