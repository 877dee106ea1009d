// ARGS: [1,2,3]:f32
// WANT: value [1.0, 1.0, 2.0]

func.func @main(%x: memref<?xf32>) {
  %a = memref.subview %x[0] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1]>>
  %b = memref.subview %x[1] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: 1>>
  "memref.copy"(%a, %b) : (memref<2xf32, strided<[1]>>, memref<2xf32, strided<[1], offset: 1>>) -> ()
  func.return
}
