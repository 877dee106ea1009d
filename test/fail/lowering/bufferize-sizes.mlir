// RUN: hologram-run %s
// EXIT: 1
// ERROR: the sizes of 'bufferization.to_tensor', a tensor<\?xf32>, are not known
// ERROR: hint: give it a static shape

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %x restrict writable : memref<?xf32> to tensor<?xf32>
  %n = hologram.neg %t : tensor<?xf32>
  bufferization.materialize_in_destination %n in restrict writable %x : (tensor<?xf32>, memref<?xf32>) -> ()
  func.return
}
