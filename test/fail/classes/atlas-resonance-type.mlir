// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.unity\.test' of i32 is not defined for a value of type i32 \[atlas-resonance-type\]

atlas.program @p(%eps: i32) {
  %u = atlas.unity.test i32 %eps
}
