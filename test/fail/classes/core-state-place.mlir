// RUN: hologram-opt %s -p convert-atlas-to-core
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.phase\.get' is about the state of a lane, which lane programs alone have \[core-state-place\]

func.func @f() -> i32 {
  %p = atlas.phase.get
  func.return %p : i32
}
