// ARGS: [1,2,3]:f32
// WANT: refused guard-dealloc

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %v = memref.load %x[%c0] : memref<?xf32>
  %t = arith.cmpf ogt, %v, %one : f32
  %s = arith.select %t, %a, %b : memref<8xf32>
  memref.dealloc %s : memref<8xf32>
  memref.store %one, %a[%c0] : memref<8xf32>
  func.return
}
