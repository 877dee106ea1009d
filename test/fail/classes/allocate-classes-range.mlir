// RUN: hologram-opt %s -p 'allocate-classes{first=90 last=96}'
// EXIT: 2
// ERROR: allocate-classes can't take the classes from 90 to 96

func.func @f() {
  func.return
}
