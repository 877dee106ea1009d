// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 0 case values for 1 case blocks
llvm.func @f(%x: i32) {
  "llvm.switch"(%x) [^a, ^a] <{case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^a:
  llvm.return
}
