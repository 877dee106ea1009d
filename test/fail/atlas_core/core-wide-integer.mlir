// RUN: hologram-opt %s -p convert-atlas-to-core
// EXIT: 1
// ERROR: :6:3: error: 'atlas.add' of i128 can't be lowered yet.* \[core-wide-integer\]

func.func @f(%a: i128) -> i128 {
  %r = atlas.add i128 %a, %a
  func.return %r : i128
}
