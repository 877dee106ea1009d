// RUN: hologram-opt %s -p convert-parallel-loops-to-gpu
// EXIT: 1
// ERROR: 'scf.if' chooses a buffer here that another launch uses
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %w: memref<8xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %which = memref.load %w[%c0] : memref<8xi1>
  %chosen = scf.if %which -> (memref<8xf32>) {
    scf.yield %a : memref<8xf32>
  } else {
    scf.yield %b : memref<8xf32>
  }
  %v = arith.constant 1.0 : f32
  "scf.parallel"(%c0, %c8, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    memref.store %v, %chosen[%i] : memref<8xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}
