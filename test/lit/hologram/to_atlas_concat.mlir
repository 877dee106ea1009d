// RUN: hologram-opt %s -p convert-hologram-to-atlas | filecheck %s

// Each part is inserted behind the one before.

func.func @f(%x: tensor<?x2xf32>, %y: tensor<3x2xf32>) -> tensor<?x2xf32> {
  %r = hologram.concat %x, %y {axis = 0 : i64} : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  func.return %r : tensor<?x2xf32>
}

// CHECK-LABEL: func.func @f(%x: tensor<?x2xf32> {hologram.name = "x"}, %y: tensor<3x2xf32> {hologram.name = "y"}) -> tensor<?x2xf32> attributes {hologram.results = ["(x[0] + 3, 2)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 0 : index
// CHECK-NEXT:    %{{[0-9]+}} = tensor.dim %x, %{{[0-9]+}} : tensor<?x2xf32>
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 3 : index
// CHECK-NEXT:    %{{[0-9]+}} = arith.addi %{{[0-9]+}}, %{{[0-9]+}} : index
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty(%{{[0-9]+}}) : tensor<?x2xf32>
// CHECK-NEXT:    %{{[0-9]+}} = tensor.insert_slice %x into %{{[0-9]+}}[0, 0] [%{{[0-9]+}}, 2] [1, 1] : tensor<?x2xf32> into tensor<?x2xf32>
// CHECK-NEXT:    %r = tensor.insert_slice %y into %{{[0-9]+}}[%{{[0-9]+}}, 0] [3, 2] [1, 1] : tensor<3x2xf32> into tensor<?x2xf32>
// CHECK-NEXT:    func.return %r : tensor<?x2xf32>
// CHECK-NEXT:  }
