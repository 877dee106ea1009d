// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.reduce\.add' is not defined for bool \[atlas-window-type\]

atlas.program @p(%b: i1) {
  %s = atlas.reduce.add bool %b, %b
}
