// RUN: hologram-opt %s -p convert-hologram-to-atlas | filecheck %s

// Gathers, softmax and products have instructions of their own.

func.func @gather(%x: tensor<4x2xf32>, %i: tensor<?xi64>) -> tensor<?x2xf32> {
  %r = hologram.gather %x, %i {axis = 0 : i64} : (tensor<4x2xf32>, tensor<?xi64>) -> tensor<?x2xf32>
  func.return %r : tensor<?x2xf32>
}

// CHECK-LABEL: func.func @gather(%x: tensor<4x2xf32> {hologram.name = "x"}, %i: tensor<?xi64> {hologram.name = "i"}) -> tensor<?x2xf32> attributes {hologram.results = ["(i[0], 2)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 0 : index
// CHECK-NEXT:    %{{[0-9]+}} = tensor.dim %i, %{{[0-9]+}} : tensor<?xi64>
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty(%{{[0-9]+}}) : tensor<?x2xf32>
// CHECK-NEXT:    %r = atlas.gather ins(%x, %i : tensor<4x2xf32>, tensor<?xi64>) outs(%{{[0-9]+}} : tensor<?x2xf32>) {axis = 0 : i64}
// CHECK-NEXT:    func.return %r : tensor<?x2xf32>
// CHECK-NEXT:  }

func.func @softmax(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %r = hologram.softmax %x {axis = 1 : i64} : tensor<4x2xf32>
  func.return %r : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @softmax(%x: tensor<4x2xf32> {hologram.name = "x"}) -> tensor<4x2xf32> attributes {hologram.results = ["(4, 2)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<4x2xf32>
// CHECK-NEXT:    %r = atlas.softmax ins(%x : tensor<4x2xf32>) outs(%{{[0-9]+}} : tensor<4x2xf32>) {axis = 1 : i64}
// CHECK-NEXT:    func.return %r : tensor<4x2xf32>
// CHECK-NEXT:  }

func.func @matmul(%a: tensor<4x?xf32>, %b: tensor<?x2xf32>) -> tensor<4x2xf32> {
  %r = hologram.matmul %a, %b : (tensor<4x?xf32>, tensor<?x2xf32>) -> tensor<4x2xf32>
  func.return %r : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @matmul(%a: tensor<4x?xf32> {hologram.name = "a"}, %b: tensor<?x2xf32> {hologram.name = "b"}) -> tensor<4x2xf32> attributes {hologram.constraints = ["a[1] == b[0]"], hologram.results = ["(4, 2)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<4x2xf32>
// CHECK-NEXT:    %r = atlas.gemm ins(%a, %b : tensor<4x?xf32>, tensor<?x2xf32>) outs(%{{[0-9]+}} : tensor<4x2xf32>)
// CHECK-NEXT:    func.return %r : tensor<4x2xf32>
// CHECK-NEXT:  }
