// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'torus\.offset' needs one integer type, found i64 and i32 \[torus-integer-types\]

func.func @f(%a: i32, %b: i64) {
  %c = torus.offset %a, %b : (i32, i64) -> i64
  func.return
}
