// RUN: hologram-opt %s -p structure-control-flow
// EXIT: 1
// ERROR: :6:3: error: there is a barrier in @f, which calls itself.* \[structure-recursive-barrier\]

atlas.func @f() {
  atlas.bar.sync 0
  atlas.call @f() : () -> ()
  atlas.ret
}
