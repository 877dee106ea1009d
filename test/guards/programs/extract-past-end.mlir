// ARGS: 900 [1,2,3]:f32
// WANT: trap position 900 is out of range for size 4

func.func @main(%i: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant dense<1.0> : vector<4xf32>
  %e = vector.extract %v[%i] : f32 from vector<4xf32>
  memref.store %e, %x[%c0] : memref<?xf32>
  func.return
}
