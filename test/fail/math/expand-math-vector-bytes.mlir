// RUN: hologram-opt %s -p 'expand-math{vector-bytes=48}'
// EXIT: 2
// ERROR: error: option 'vector-bytes' of expand-math is 16, 32 or 64, not 48 \[expand-math-vector-bytes\]

func.func @f() {
  func.return
}
