// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Constants, fills, indices, sizes, broadcasts.

func.func @f(%x: tensor<?xf32>, %k: f32, %n: index) {
  %c = hologram.constant dense<[1.000000e+00, -0.000000e+00]> : tensor<2xf32>
  %s = hologram.constant dense<7> : tensor<2x3xi16>
  %e = hologram.constant dense<> : tensor<0xf32>
  %f = hologram.fill %k sizes(%n) : f32 to tensor<?x4xf32>
  %z = hologram.fill %n : index to tensor<3xindex>
  %i = hologram.iota sizes(%n) {axis = 1 : i64} : tensor<4x?xi64>
  %d = hologram.dim %x {axis = 0 : i64} : tensor<?xf32> to index
  %b = hologram.broadcast %x sizes(%n, %d) : tensor<?xf32> to tensor<?x?xf32>
  %a = hologram.broadcast %c {axes = [0 : i64]} : tensor<2xf32> to tensor<2x3xf32>
  func.return
}

// CHECK-LABEL: func.func @f(%x: tensor<?xf32>, %k: f32, %n: index) {
// CHECK-NEXT:    %c = hologram.constant dense<[1.000000e+00, -0.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:    %s = hologram.constant dense<7> : tensor<2x3xi16>
// CHECK-NEXT:    %e = hologram.constant dense<> : tensor<0xf32>
// CHECK-NEXT:    %f = hologram.fill %k sizes(%n) : f32 to tensor<?x4xf32>
// CHECK-NEXT:    %z = hologram.fill %n : index to tensor<3xindex>
// CHECK-NEXT:    %i = hologram.iota sizes(%n) {axis = 1 : i64} : tensor<4x?xi64>
// CHECK-NEXT:    %d = hologram.dim %x {axis = 0 : i64} : tensor<?xf32> to index
// CHECK-NEXT:    %b = hologram.broadcast %x sizes(%n, %d) : tensor<?xf32> to tensor<?x?xf32>
// CHECK-NEXT:    %a = hologram.broadcast %c {axes = [0 : i64]} : tensor<2xf32> to tensor<2x3xf32>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
