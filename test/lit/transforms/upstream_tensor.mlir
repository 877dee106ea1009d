// RUN: hologram-opt %s | hologram-opt - | FileCheck %s
// Operations of tensor are read and written as upstream writes them.

func.func @f(%t: tensor<4x?xf32>, %s: tensor<f32>, %i: tensor<3x2xindex>, %n: index, %u: tensor<*xf32>, %d: tensor<2xindex>, %f: f32) {
  %0 = tensor.generate %n {
  ^bb0(%a: index, %b: index):
    tensor.yield %f : f32
  } : tensor<4x?xf32>
  %1 = tensor.pad %t nofold low[0, %n] high[1, 2] {
  ^bb0(%a: index, %b: index):
    tensor.yield %f : f32
  } : tensor<4x?xf32> to tensor<5x?xf32>
  %2 = tensor.bitcast %t : tensor<4x?xf32> to tensor<4x?xi32>
  %3 = tensor.gather %t[%i] gather_dims([0, 1]) unique : (tensor<4x?xf32>, tensor<3x2xindex>) -> tensor<3xf32>
  %4 = tensor.scatter %3 into %t[%i] scatter_dims([0, 1]) unique : (tensor<3xf32>, tensor<4x?xf32>, tensor<3x2xindex>) -> tensor<4x?xf32>
  %5 = tensor.rank %u : tensor<*xf32>
  %6 = tensor.reshape %u(%d) : (tensor<*xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %7 = tensor.expand_shape %s [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %8 = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 2, %n] : tensor<4x?xf32> into tensor<2x2x?xf32>
  func.return
}

// CHECK:      %0 = tensor.generate %n {
// CHECK:      } : tensor<4x?xf32>
// CHECK-NEXT: %1 = tensor.pad %t nofold low[0, %n] high[1, 2] {
// CHECK:      } : tensor<4x?xf32> to tensor<5x?xf32>
// CHECK-NEXT: %2 = tensor.bitcast %t : tensor<4x?xf32> to tensor<4x?xi32>
// CHECK-NEXT: %3 = tensor.gather %t[%i] gather_dims([0, 1]) unique : (tensor<4x?xf32>, tensor<3x2xindex>) -> tensor<3xf32>
// CHECK-NEXT: %4 = tensor.scatter %3 into %t[%i] scatter_dims([0, 1]) unique : (tensor<3xf32>, tensor<4x?xf32>, tensor<3x2xindex>) -> tensor<4x?xf32>
// CHECK-NEXT: %5 = tensor.rank %u : tensor<*xf32>
// CHECK-NEXT: %6 = tensor.reshape %u(%d) : (tensor<*xf32>, tensor<2xindex>) -> tensor<?x?xf32>
// CHECK-NEXT: %7 = tensor.expand_shape %s [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
// CHECK-NEXT: %8 = tensor.expand_shape %t {{\[\[}}0, 1], [2]] output_shape [2, 2, %n] : tensor<4x?xf32> into tensor<2x2x?xf32>
