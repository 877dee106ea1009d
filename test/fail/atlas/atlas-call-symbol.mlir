// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: there is no atlas.func @f.* \[atlas-call-symbol\]

atlas.program @p() {
  atlas.call @f() : () -> ()
}
