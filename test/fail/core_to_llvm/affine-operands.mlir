// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'affine.delinearize_index' has a size for each of 3 indices, or for all but the first \[affine-operands\]

func.func @f(%n: index) {
  %0:3 = affine.delinearize_index %n into (4) : index, index, index
  func.return
}
