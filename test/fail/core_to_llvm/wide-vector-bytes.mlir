// RUN: hologram-opt %s -p expand-wide-integers{vector-bytes=24}
// EXIT: 2
// ERROR: option 'vector-bytes' of expand-wide-integers is 16, 32 or 64, not 24
func.func @f() {
  func.return
}
