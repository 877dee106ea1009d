// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :8:3: error: there is no atlas\.program @q \[atlas-launch-symbol\]

atlas.program @p(%m: memref<4xf32>) {
}
func.func @main(%n: index, %m: memref<4xf32>) {
  atlas.launch @q grid(%n, %n, %n) block(%n, %n, %n) args(%m : memref<4xf32>)
  func.return
}
