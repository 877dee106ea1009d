// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas.ret' ends a block of an atlas.func.* \[atlas-ret-place\]

atlas.program @p() {
  atlas.ret
}
