// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :8:3: error: the arguments do not fit @p: \(memref<4xf32>\) -> \(\) \[atlas-launch-arguments\]

atlas.program @p(%m: memref<4xf32>) {
}
func.func @main(%n: index, %m: memref<4xf32>) {
  atlas.launch @p grid(%n, %n, %n) block(%n, %n, %n)
  func.return
}
