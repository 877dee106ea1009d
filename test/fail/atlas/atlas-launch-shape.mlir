// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :8:3: error: a launch takes three grid sizes, and three block sizes if its program.* \[atlas-launch-shape\]

atlas.program @p(%m: memref<4xf32>) {
}
func.func @main(%n: index, %m: memref<4xf32>) {
  atlas.launch @p grid(%n) block(%n, %n, %n) args(%m : memref<4xf32>)
  func.return
}
