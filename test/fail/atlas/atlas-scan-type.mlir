// RUN: hologram-opt %s
// EXIT: 1
// ERROR: a scan by add is not defined for bool \[atlas-scan-type\]

func.func @f(%x: memref<4x3xf32>, %y: memref<4x5xf32>, %i: memref<4xi64>, %h: memref<4xi16>, %e: memref<4x0xf32>, %b: memref<4x3xi1>, %v: memref<3xi64>) {
  atlas.scan ins(%b : memref<4x3xi1>) outs(%b : memref<4x3xi1>) {axis = 1, kind = #atlas.kind<add>, type = #atlas.dtype<bool>}
  func.return
}
