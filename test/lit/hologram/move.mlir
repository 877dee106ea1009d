// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Reshapes, transposes, slices, concatenations, gathers.

func.func @f(%x: tensor<?x4xf32>, %i: tensor<2x2xi32>, %n: index) {
  %r = hologram.reshape %x : tensor<?x4xf32> to tensor<?xf32>
  %q = hologram.reshape %x sizes(%n, %n) : tensor<?x4xf32> to tensor<?x?x4xf32>
  %t = hologram.transpose %x {permutation = [1 : i64, 0 : i64]} : tensor<?x4xf32> to tensor<4x?xf32>
  %s = hologram.slice %x sizes(%n) {starts = [1 : i64, 3 : i64], strides = [2 : i64, -1 : i64]} : tensor<?x4xf32> to tensor<?x2xf32>
  %c = hologram.concat %x, %x {axis = 1 : i64} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
  %o = hologram.concat %x {axis = 0 : i64} : tensor<?x4xf32>
  %g = hologram.gather %x, %i {axis = 1 : i64} : (tensor<?x4xf32>, tensor<2x2xi32>) -> tensor<?x2x2xf32>
  func.return
}

// CHECK-LABEL: func.func @f(%x: tensor<?x4xf32>, %i: tensor<2x2xi32>, %n: index) {
// CHECK-NEXT:    %r = hologram.reshape %x : tensor<?x4xf32> to tensor<?xf32>
// CHECK-NEXT:    %q = hologram.reshape %x sizes(%n, %n) : tensor<?x4xf32> to tensor<?x?x4xf32>
// CHECK-NEXT:    %t = hologram.transpose %x {permutation = [1 : i64, 0 : i64]} : tensor<?x4xf32> to tensor<4x?xf32>
// CHECK-NEXT:    %s = hologram.slice %x sizes(%n) {starts = [1 : i64, 3 : i64], strides = [2 : i64, -1 : i64]} : tensor<?x4xf32> to tensor<?x2xf32>
// CHECK-NEXT:    %c = hologram.concat %x, %x {axis = 1 : i64} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
// CHECK-NEXT:    %o = hologram.concat %x {axis = 0 : i64} : tensor<?x4xf32>
// CHECK-NEXT:    %g = hologram.gather %x, %i {axis = 1 : i64} : (tensor<?x4xf32>, tensor<2x2xi32>) -> tensor<?x2x2xf32>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
