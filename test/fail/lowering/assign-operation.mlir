// RUN: hologram-opt %s -p "assign-registers"
// EXIT: 1
// ERROR: :6:3: error: there is no machine instruction for 'arith.constant'.* \[assign-operation\]

atlas.program @p(%x: memref<?xi32>) {
  %c = arith.constant 0 : index
  %n = memref.dim %x, %c : memref<?xi32>
}
