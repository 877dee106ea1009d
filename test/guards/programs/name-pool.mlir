// ARGS: [1,2,3]:f32
// WANT: refused function-name-reserved

func.func @hologram_pool(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %k = arith.constant 1.0 : f32
  "scf.parallel"(%c0, %n, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^b(%i: index):
    memref.store %k, %x[%i] : memref<?xf32>
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  func.return
}
