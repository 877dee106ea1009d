// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.copy' takes 1 ins and one out, found 2 and 1 \[atlas-arity\]

func.func @f(%a: memref<4xf32>, %b: memref<4xf64>, %c: memref<5xf32>, %i: memref<4xi32>, %s: memref<f32>, %d: memref<2x3xf32>) {
  atlas.copy ins(%a, %a : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
  func.return
}
