// RUN: hologram-opt %s -p canonicalize | filecheck %s

// Casts join where the type between says nothing new; sizes and slices of constants are static.

func.func @casts(%t: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x?xf32>) {
  %0 = tensor.cast %t : tensor<?x4xf32> to tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<?x4xf32>
  %2 = tensor.cast %t : tensor<?x4xf32> to tensor<8x4xf32>
  %3 = tensor.cast %2 : tensor<8x4xf32> to tensor<?x?xf32>
  return %1, %3 : tensor<?x4xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: func.func @casts
// CHECK-NEXT:    [[A:%\w+]] = tensor.cast %t : tensor<?x4xf32> to tensor<8x4xf32>
// CHECK-NEXT:    [[B:%\w+]] = tensor.cast [[A]] : tensor<8x4xf32> to tensor<?x?xf32>
// CHECK-NEXT:    func.return %t, [[B]]

func.func @slices(%t: tensor<?x?xf32>, %i: index, %v: tensor<2x?xf32>) -> (tensor<?x?xf32>, tensor<2x?xf32>, index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.extract_slice %t[%c0, %i] [%c2, %i] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %1 = tensor.insert_slice %v into %t[%c0, %i] [2, %i] [1, 1] : tensor<2x?xf32> into tensor<?x?xf32>
  %2 = tensor.extract_slice %1[0, %i] [2, %i] [1, 1] : tensor<?x?xf32> to tensor<2x?xf32>
  %3 = tensor.empty(%c2, %i) : tensor<?x?xf32>
  %4 = tensor.dim %3, %c0 : tensor<?x?xf32>
  return %0, %2, %4 : tensor<?x?xf32>, tensor<2x?xf32>, index
}

// CHECK-LABEL: func.func @slices
// CHECK:         [[C2:%\w+]] = arith.constant 2 : index
// CHECK-NEXT:    [[S:%\w+]] = tensor.extract_slice %t[0, %i] [2, %i] [1, 1] : tensor<?x?xf32> to tensor<2x?xf32>
// CHECK-NEXT:    [[T:%\w+]] = tensor.cast [[S]] : tensor<2x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:    func.return [[T]], %v, [[C2]]

// A padded tensor that must be a copy stays, and so does a slice from elsewhere.

func.func @stays(%t: tensor<4xf32>, %v: tensor<2xf32>, %p: f32) -> (tensor<4xf32>, tensor<2xf32>) {
  %0 = tensor.pad %t nofold low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %p : f32
  } : tensor<4xf32> to tensor<4xf32>
  %1 = tensor.insert_slice %v into %t[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %2 = tensor.extract_slice %1[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %0, %2 : tensor<4xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @stays
// CHECK:         tensor.pad
// CHECK:         tensor.insert_slice
// CHECK:         tensor.extract_slice
