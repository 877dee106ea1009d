// ARGS: [1,2,3]:f32
// WANT: refused bufferize-sizes

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %x restrict writable : memref<?xf32> to tensor<?xf32>
  %k = arith.constant 1000000000 : index
  %v = tensor.extract %t[%k] : tensor<?xf32>
  memref.store %v, %x[%c0] : memref<?xf32>
  func.return
}
