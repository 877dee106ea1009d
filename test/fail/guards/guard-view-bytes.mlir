// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'memref.view' is of elements of none
// ERROR: hint: take elements of a number type

func.func @main(%x: memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %y = memref.view %x[%c0][] : memref<16xi8> to memref<4xnone>
  func.return
}
