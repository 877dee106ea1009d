// ARGS: [1,2,3]:f32 9223372036854775807
// WANT: trap is past size 3

func.func @main(%x: memref<?xf32>, %i: index) {
  %one = arith.constant 1.0 : f32
  %v = vector.transfer_read %x[%i], %one : memref<?xf32>, vector<4xf32>
  vector.transfer_write %v, %x[%i] : vector<4xf32>, memref<?xf32>
  func.return
}
