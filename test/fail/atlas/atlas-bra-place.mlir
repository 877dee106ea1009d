// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas.bra' ends a block of an atlas.program or an atlas.func.* \[atlas-bra-place\]

func.func @f() {
  atlas.bra ^a
^a:
  func.return
}
