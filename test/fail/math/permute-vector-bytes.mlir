// RUN: hologram-opt %s -p permute-tables{vector-bytes=24}
// EXIT: 2
// ERROR: option 'vector-bytes' of permute-tables is 16, 32 or 64, not 24
func.func @f() {
  func.return
}
