// RUN: hologram-opt %s -p convert-parallel-loops-to-gpu
// EXIT: 1
// ERROR: 'func.call' needs a value here that only the device knows
func.func private @fill(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  "scf.parallel"(%c0, %n, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    memref.store %v, %a[%i] : memref<?xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}
func.func @f(%a: memref<?xf32>, %b: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %word = memref.load %b[%c0] : memref<?xi64>
  %n = arith.index_cast %word : i64 to index
  func.call @fill(%a, %n) : (memref<?xf32>, index) -> ()
  func.return
}
