// ARGS: 1 f32[9]=iota f32[4]=zeros
// WANT: value _ [1.0, 2.0, 3.0, 4.0]

func.func @main(%i: index, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = vector.load %x[%i] {alignment = 64 : i64} : memref<?xf32>, vector<4xf32>
  vector.store %v, %y[%c0] : memref<?xf32>, vector<4xf32>
  func.return
}
