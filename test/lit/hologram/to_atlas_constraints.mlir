// RUN: hologram-opt %s -p convert-hologram-to-atlas | filecheck %s

// What sizes must satisfy: products, slices, sizes that are given, sizes that types promise; names are mended.

func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = hologram.matmul %a, %b : tensor<?x?xf32>
  func.return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @product(%a: tensor<?x?xf32> {hologram.name = "a"}, %b: tensor<?x?xf32> {hologram.name = "b"}) -> tensor<?x?xf32> attributes {hologram.constraints = ["a[1] == b[0]"], hologram.results = ["(a[0], b[1])"]} {
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 0 : index
// CHECK-NEXT:    %{{[0-9]+}} = tensor.dim %a, %{{[0-9]+}} : tensor<?x?xf32>
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 1 : index
// CHECK-NEXT:    %{{[0-9]+}} = tensor.dim %b, %{{[0-9]+}} : tensor<?x?xf32>
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty(%{{[0-9]+}}, %{{[0-9]+}}) : tensor<?x?xf32>
// CHECK-NEXT:    %r = atlas.gemm ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%{{[0-9]+}} : tensor<?x?xf32>)
// CHECK-NEXT:    func.return %r : tensor<?x?xf32>
// CHECK-NEXT:  }

func.func @slice(%a-b: tensor<?xf32>, %max: index) -> tensor<?xf32> {
  %r = hologram.slice %a-b sizes(%max) {starts = [2 : i64], strides = [3 : i64]} : tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @slice(%a-b: tensor<?xf32> {hologram.name = "a_b"}, %max: index {hologram.name = "max_1"}) -> tensor<?xf32> attributes {hologram.constraints = ["a_b[0] * max_1 + max_1 * max_1 * -3 >= 0", "max_1 >= 0"], hologram.results = ["(max_1,)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty(%max) : tensor<?xf32>
// CHECK-NEXT:    %r = atlas.map ins(%a-b : tensor<?xf32>) outs(%{{[0-9]+}} : tensor<?xf32>) maps [affine_map<(d0) -> (((d0 * 3) + 2))>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<?xf32>
// CHECK-NEXT:  }

func.func @promise(%a: tensor<?xf32>) -> tensor<4xf32> {
  %r = hologram.neg %a : (tensor<?xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @promise(%a: tensor<?xf32> {hologram.name = "a"}) -> tensor<4xf32> attributes {hologram.constraints = ["a[0] == 4"], hologram.results = ["(4,)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:    %r = atlas.map ins(%a : tensor<?xf32>) outs(%{{[0-9]+}} : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: f32):
// CHECK-NEXT:      %{{[0-9]+}} = atlas.neg f32 %{{[0-9]+}}
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<4xf32>
// CHECK-NEXT:  }
