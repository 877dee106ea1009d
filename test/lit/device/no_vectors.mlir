// What one thread of a device computes has no vectors of one element, and may name parameters of the CPU's schedule.
// RUN: hologram-opt %s -p 'hologram-to-opencl{to=flat}' | filecheck %s
// CHECK-NOT: vector.

func.func @products(%q: memref<2x3x4xf32>, %k: memref<2x5x4xf32>, %v: memref<2x5x3xf32>, %o: memref<2x3x3xf32>) {
  atlas.attention ins(%q, %k, %v : memref<2x3x4xf32>, memref<2x5x4xf32>, memref<2x5x3xf32>) outs(%o : memref<2x3x3xf32>)
  func.return
}

func.func @transform(%x: memref<2x64x2xf32>, %y: memref<2x64x2xf32>) {
  atlas.fft ins(%x : memref<2x64x2xf32>) outs(%y : memref<2x64x2xf32>) {inverse = 0 : i64}
  func.return
}
