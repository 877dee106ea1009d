// ARGS: 1 2 i8[16]=zeros
// WANT: trap is no address of elements of 4 bytes

func.func @main(%s: index, %n: index, %x: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.view %x[%s][%n] : memref<?xi8> to memref<?xf32>
  %e = arith.constant 7.0 : f32
  memref.store %e, %v[%c1] : memref<?xf32>
  func.return
}
