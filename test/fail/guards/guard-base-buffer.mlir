// RUN: hologram-run %s
// EXIT: 1
// ERROR: gives the buffer below a view, which is a raw pointer
// ERROR: hint: .*--unsafe-memory

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b, %o, %s, %t = memref.extract_strided_metadata %x : memref<?xf32> -> memref<f32>, index, index, index
  %v = memref.load %b[] : memref<f32>
  func.return
}
