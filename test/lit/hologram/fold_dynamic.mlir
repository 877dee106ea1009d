// RUN: hologram-opt %s -p canonicalize | filecheck %s

// Only static shapes fold; the size of a static axis is a constant.

func.func @promise() -> tensor<?xf32> {
  %x = hologram.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %c = hologram.neg %x : (tensor<2xf32>) -> tensor<?xf32>
  func.return %c : tensor<?xf32>
}

// CHECK-LABEL: func.func @promise() -> tensor<?xf32> {
// CHECK-NEXT:    %x = hologram.constant dense<[1.000000e+00, -2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:    %c = hologram.neg %x : tensor<2xf32> to tensor<?xf32>
// CHECK-NEXT:    func.return %c : tensor<?xf32>
// CHECK-NEXT:  }

func.func @dim(%x: tensor<2x?xf32>) -> tensor<?xf32> {
  %n = hologram.dim %x {axis = 0 : i64} : tensor<2x?xf32> to index
  %k = hologram.constant dense<1.0> : tensor<f32>
  %r = hologram.broadcast %k sizes(%n) : tensor<f32> to tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @dim(%x: tensor<2x?xf32>) -> tensor<?xf32> {
// CHECK-NEXT:    %n = arith.constant 2 : index
// CHECK-NEXT:    %k = hologram.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:    %r = hologram.broadcast %k sizes(%n) : tensor<f32> to tensor<?xf32>
// CHECK-NEXT:    func.return %r : tensor<?xf32>
// CHECK-NEXT:  }
