// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: a branch can't go to the first block \[atlas-bra-entry\]

"atlas.program"() <{sym_name = "p", function_type = () -> ()}> ({
^a:
  "atlas.bra"() [^a] <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
}) : () -> ()
