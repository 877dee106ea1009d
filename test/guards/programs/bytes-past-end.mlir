// ARGS: 4 100 i8[16]=zeros
// WANT: trap the view from byte 4 on is not within the 16 bytes

func.func @main(%s: index, %n: index, %x: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.view %x[%s][%n] : memref<?xi8> to memref<?xf32>
  %e = arith.constant 7.0 : f32
  %i = arith.constant 99 : index
  memref.store %e, %v[%i] : memref<?xf32>
  func.return
}
