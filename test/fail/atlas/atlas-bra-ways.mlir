// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'atlas.bra' has two successors with a predicate, one without.* \[atlas-bra-ways\]

atlas.program @p() {
  %p = atlas.mov_imm true
  "atlas.bra"(%p) [^a] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^a:
}
