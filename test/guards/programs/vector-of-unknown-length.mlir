// ARGS: [1,2,3]:f32
// WANT: refused guard-scalable

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<?xf32>, vector<[4]xf32>
  vector.store %v, %x[%c0] : memref<?xf32>, vector<[4]xf32>
  func.return
}
