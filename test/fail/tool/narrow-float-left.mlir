// RUN: hologram-opt %s -p hologram-to-cpu
// EXIT: 1
// ERROR: narrow-float-left.mlir:8:3: error: values of type f8E4M3FN are only loaded and stored here: nothing converts or computes with them \[narrow-float-left\]
// ERROR: hint: atlas.cvt converts them, such as %y = atlas.cvt f8E4M3FN to f32 %x

func.func @f(%a: memref<?xf8E4M3FN>, %b: memref<?xf32>, %i: index) {
  %x = memref.load %a[%i] : memref<?xf8E4M3FN>
  %y = arith.extf %x : f8E4M3FN to f32
  memref.store %y, %b[%i] : memref<?xf32>
  func.return
}
