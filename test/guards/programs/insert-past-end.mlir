// ARGS: [1,2,3]:f32 1000000000
// WANT: trap position 1000000000 is out of range

func.func @main(%x: memref<?xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %v = arith.constant dense<1.0> : vector<4xf32>
  %w = vector.insert %one, %v[%i] : f32 into vector<4xf32>
  vector.store %w, %x[%c0] : memref<?xf32>, vector<4xf32>
  func.return
}
