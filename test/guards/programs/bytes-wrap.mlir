// ARGS: [1,2,3]:f32 4611686018427387904 4
// WANT: trap is not within the 64 bytes

func.func @main(%x: memref<?xf32>, %i: index, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xi8>
  %m = memref.view %b[%c0][%i, %j] : memref<64xi8> to memref<?x?xf32>
  memref.store %one, %m[%c1, %c1] : memref<?x?xf32>
  func.return
}
