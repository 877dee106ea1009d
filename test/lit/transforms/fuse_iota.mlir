// RUN: hologram-opt %s -p convert-hologram-to-atlas,fuse-atlas,cse | filecheck %s

// Indices join the maps and reductions that read them; they tell no loop its extent, so alone they do not.

func.func @f(%x: tensor<8xf32>) -> (tensor<f32>, tensor<i64>) {
  %i = hologram.iota {axis = 0 : i64} : tensor<8xf32>
  %m = hologram.mul %x, %i : tensor<8xf32>
  %s = hologram.reduce sum %m {axes = [0 : i64]} : tensor<8xf32> to tensor<f32>
  %j = hologram.iota {axis = 0 : i64} : tensor<4xi64>
  %t = hologram.reduce sum %j {axes = [0 : i64]} : tensor<4xi64> to tensor<i64>
  func.return %s, %t : tensor<f32>, tensor<i64>
}

// CHECK-LABEL: func.func @f
// CHECK-NEXT:    %[[I:.*]] = atlas.iota : !atlas.iota<i32>
// CHECK-NEXT:    tensor.empty() : tensor<f32>
// CHECK-NEXT:    %s = atlas.reduce [add f32] ins(%x, %[[I]] : tensor<8xf32>, !atlas.iota<i32>)
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f32, %[[N:.*]]: i32):
// CHECK-NEXT:      %[[F:.*]] = atlas.cvt i32 to f32 %[[N]]
// CHECK-NEXT:      %[[P:.*]] = atlas.mul f32 %[[X]], %[[F]]
// CHECK-NEXT:      atlas.yield %[[P]] : f32
// CHECK:         %[[L:.*]] = atlas.iota : !atlas.iota<i64>
// CHECK:         %j = atlas.map ins(%[[L]] : !atlas.iota<i64>)
// CHECK:         %t = atlas.reduce [add i64] ins(%j : tensor<4xi64>)
