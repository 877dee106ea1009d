// RUN: hologram-opt %s -p canonicalize | filecheck %s

// Joins and splits of axes meet.

func.func @shapes(%t: tensor<6x4xf32>, %n: index, %d: tensor<?x4xf32>) -> (tensor<6x4xf32>, tensor<24xf32>, tensor<?x4xf32>) {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [6, 4] : tensor<24xf32> into tensor<6x4xf32>
  %2 = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
  %3 = tensor.collapse_shape %2 [[0, 1, 2]] : tensor<2x3x4xf32> into tensor<24xf32>
  %4 = tensor.collapse_shape %d [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %5 = tensor.expand_shape %4 [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %1, %3, %5 : tensor<6x4xf32>, tensor<24xf32>, tensor<?x4xf32>
}

// CHECK-LABEL: func.func @shapes
// CHECK-NEXT:    [[A:%\w+]] = tensor.collapse_shape %t {{\[}}[0 : i64, 1 : i64]{{\]}} : tensor<6x4xf32> into tensor<24xf32>
// CHECK-NEXT:    func.return %t, [[A]], %d

// Other groups, and sizes that the product does not tell, stay.

func.func @stays(%t: tensor<2x6xf32>, %n: index, %m: index, %d: tensor<?x?xf32>) -> (tensor<4x3xf32>, tensor<?x?xf32>) {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<2x6xf32> into tensor<12xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 3] : tensor<12xf32> into tensor<4x3xf32>
  %2 = tensor.collapse_shape %d [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %3 = tensor.expand_shape %2 [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
  return %1, %3 : tensor<4x3xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: func.func @stays
// CHECK-COUNT-2: tensor.collapse_shape
// CHECK:         tensor.expand_shape

// Constants change their shape, and give their elements.

func.func @constants() -> (tensor<2x2xi32>, i32) {
  %c1 = arith.constant 1 : index
  %0 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
  %2 = tensor.extract %1[%c1, %c1] : tensor<2x2xi32>
  return %1, %2 : tensor<2x2xi32>, i32
}

// CHECK-LABEL: func.func @constants
// CHECK-DAG:     arith.constant dense<{{\[}}[1, 2], [3, 4]{{\]}}> : tensor<2x2xi32>
// CHECK-DAG:     arith.constant 4 : i32
