// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Reductions, softmax, matrix products.

func.func @f(%x: tensor<?x4xf32>, %y: tensor<4x?xf32>, %z: tensor<3x2x2xf64>, %i: tensor<4x2xi32>) {
  %s = hologram.reduce sum %x {axes = [0 : i64, 1 : i64]} : tensor<?x4xf32> to tensor<f32>
  %p = hologram.reduce product %x {axes = [1 : i64]} : tensor<?x4xf32> to tensor<?xf32>
  %l = hologram.reduce min unsigned %i {axes = [0 : i64]} : tensor<4x2xi32> to tensor<2xi32>
  %g = hologram.reduce max %i {axes = []} : tensor<4x2xi32>
  %m = hologram.softmax %x {axis = 1 : i64} : tensor<?x4xf32>
  %c = hologram.matmul %x, %y : (tensor<?x4xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>
  %d = hologram.matmul %z, %z : tensor<3x2x2xf64>
  func.return
}

// CHECK-LABEL: func.func @f(%x: tensor<?x4xf32>, %y: tensor<4x?xf32>, %z: tensor<3x2x2xf64>, %i: tensor<4x2xi32>) {
// CHECK-NEXT:    %s = hologram.reduce sum %x {axes = [0 : i64, 1 : i64]} : tensor<?x4xf32> to tensor<f32>
// CHECK-NEXT:    %p = hologram.reduce product %x {axes = [1 : i64]} : tensor<?x4xf32> to tensor<?xf32>
// CHECK-NEXT:    %l = hologram.reduce min unsigned %i {axes = [0 : i64]} : tensor<4x2xi32> to tensor<2xi32>
// CHECK-NEXT:    %g = hologram.reduce max %i {axes = []} : tensor<4x2xi32>
// CHECK-NEXT:    %m = hologram.softmax %x {axis = 1 : i64} : tensor<?x4xf32>
// CHECK-NEXT:    %c = hologram.matmul %x, %y : (tensor<?x4xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT:    %d = hologram.matmul %z, %z : tensor<3x2x2xf64>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
