// RUN: hologram-opt %s -p canonicalize | filecheck %s

// A transpose of a transpose is one, a reshape of a reshape too.

func.func @transposes(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %a = hologram.transpose %x {permutation = [1 : i64, 2 : i64, 0 : i64]} : tensor<2x3x4xf32> to tensor<3x4x2xf32>
  %b = hologram.transpose %a {permutation = [1 : i64, 2 : i64, 0 : i64]} : tensor<3x4x2xf32> to tensor<4x2x3xf32>
  func.return %b : tensor<4x2x3xf32>
}

// CHECK-LABEL: func.func @transposes(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
// CHECK-NEXT:    %b = hologram.transpose %x {permutation = [2 : i64, 0 : i64, 1 : i64]} : tensor<2x3x4xf32> to tensor<4x2x3xf32>
// CHECK-NEXT:    func.return %b : tensor<4x2x3xf32>
// CHECK-NEXT:  }

func.func @reshapes(%x: tensor<2x?xf32>) -> tensor<?x2xf32> {
  %a = hologram.reshape %x : tensor<2x?xf32> to tensor<?xf32>
  %b = hologram.reshape %a : tensor<?xf32> to tensor<?x2xf32>
  func.return %b : tensor<?x2xf32>
}

// CHECK-LABEL: func.func @reshapes(%x: tensor<2x?xf32>) -> tensor<?x2xf32> {
// CHECK-NEXT:    %b = hologram.reshape %x : tensor<2x?xf32> to tensor<?x2xf32>
// CHECK-NEXT:    func.return %b : tensor<?x2xf32>
// CHECK-NEXT:  }
