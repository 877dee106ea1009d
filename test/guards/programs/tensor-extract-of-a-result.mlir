// ARGS: [1,2,3]:f32 [7]:f32 3
// WANT: trap index 3 is out of range for size 3

func.func @main(%t: tensor<?xf32>, %x: memref<?xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %u = hologram.relu %t : tensor<?xf32>
  %v = tensor.extract %u[%i] : tensor<?xf32>
  memref.store %v, %x[%c0] : memref<?xf32>
  func.return
}
