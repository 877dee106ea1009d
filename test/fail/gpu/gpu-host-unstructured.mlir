// RUN: hologram-opt %s -p convert-parallel-loops-to-gpu
// EXIT: 1
// ERROR: @f has branches between blocks, between which no launches can be made
func.func @f(%a: memref<?xf32>, %c: i1) {
  cf.cond_br %c, ^yes, ^no
^yes:
  func.return
^no:
  func.return
}
