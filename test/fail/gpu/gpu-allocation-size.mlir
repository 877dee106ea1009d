// RUN: hologram-opt %s -p convert-parallel-loops-to-gpu
// EXIT: 1
// ERROR: a thread allocates memory here of a size that is not known before the launch
func.func @f(%a: memref<?xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  "scf.parallel"(%c0, %n, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %word = memref.load %a[%i] : memref<?xi64>
    %size = arith.index_cast %word : i64 to index
    %t = memref.alloc(%size) : memref<?xi64>
    memref.store %word, %t[%c0] : memref<?xi64>
    memref.dealloc %t : memref<?xi64>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}
