// RUN: hologram-opt %s -p convert-hologram-to-atlas | filecheck %s

// A reshape stays, with every dynamic size given, and the counts must be equal.

func.func @f(%x: tensor<?x4xf32>) -> tensor<2x?xf32> {
  %r = hologram.reshape %x : tensor<?x4xf32> to tensor<2x?xf32>
  func.return %r : tensor<2x?xf32>
}

// CHECK-LABEL: func.func @f(%x: tensor<?x4xf32> {hologram.name = "x"}) -> tensor<2x?xf32> attributes {hologram.results = ["(2, x[0] * 2)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 2 : index
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 0 : index
// CHECK-NEXT:    %{{[0-9]+}} = tensor.dim %x, %{{[0-9]+}} : tensor<?x4xf32>
// CHECK-NEXT:    %{{[0-9]+}} = arith.muli %{{[0-9]+}}, %{{[0-9]+}} : index
// CHECK-NEXT:    %r = hologram.reshape %x sizes(%{{[0-9]+}}) : tensor<?x4xf32> to tensor<2x?xf32>
// CHECK-NEXT:    func.return %r : tensor<2x?xf32>
// CHECK-NEXT:  }
