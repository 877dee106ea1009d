// ARGS: [1,0,1,1]:i32
// WANT: trap integer division by zero

func.func @main(%x: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = vector.load %x[%c0] : memref<?xi32>, vector<4xi32>
  %q = arith.divsi %b, %b : vector<4xi32>
  vector.store %q, %x[%c0] : memref<?xi32>, vector<4xi32>
  func.return
}
