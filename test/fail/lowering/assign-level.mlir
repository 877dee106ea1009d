// RUN: hologram-opt %s -p "assign-registers"
// EXIT: 1
// ERROR: :5:1: error: 'arith.constant' has no place in machine code.* \[assign-level\]

%c = arith.constant 1 : i32
