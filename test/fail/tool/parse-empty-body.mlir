// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:1: error: a function's body is empty \[parse-empty-body\]
// ERROR: hint: end it with func.return

func.func @f() {
}
