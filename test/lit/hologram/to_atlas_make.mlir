// RUN: hologram-opt %s -p convert-hologram-to-atlas | filecheck %s

// A splat is a map without ins; another constant stays for bufferisation; sizes become tensor.dim.

func.func @constants() -> (tensor<2xf32>, tensor<2xi32>, tensor<0xf32>) {
  %s = hologram.constant dense<1.0> : tensor<2xf32>
  %c = hologram.constant dense<[1, 2]> : tensor<2xi32>
  %e = hologram.constant dense<> : tensor<0xf32>
  func.return %s, %c, %e : tensor<2xf32>, tensor<2xi32>, tensor<0xf32>
}

// CHECK-LABEL: func.func @constants() -> (tensor<2xf32>, tensor<2xi32>, tensor<0xf32>) attributes {hologram.results = ["(2,)", "(2,)", "(0,)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty() : tensor<2xf32>
// CHECK-NEXT:    %s = atlas.map outs(%{{[0-9]+}} : tensor<2xf32>) maps [affine_map<(d0) -> (d0)>] {
// CHECK-NEXT:      %{{[0-9]+}} = atlas.mov_imm 1.000000e+00 : f32
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %c = hologram.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT:    %e = hologram.constant dense<> : tensor<0xf32>
// CHECK-NEXT:    func.return %s, %c, %e : tensor<2xf32>, tensor<2xi32>, tensor<0xf32>
// CHECK-NEXT:  }

func.func @fill(%x: tensor<?xf32>, %k: i32) -> tensor<?x3xi32> {
  %n = hologram.dim %x {axis = 0 : i64} : tensor<?xf32> to index
  %r = hologram.fill %k sizes(%n) : i32 to tensor<?x3xi32>
  func.return %r : tensor<?x3xi32>
}

// CHECK-LABEL: func.func @fill(%x: tensor<?xf32> {hologram.name = "x"}, %k: i32 {hologram.name = "k"}) -> tensor<?x3xi32> attributes {hologram.results = ["(x[0], 3)"]} {
// CHECK-NEXT:    %{{[0-9]+}} = arith.constant 0 : index
// CHECK-NEXT:    %n = tensor.dim %x, %{{[0-9]+}} : tensor<?xf32>
// CHECK-NEXT:    %{{[0-9]+}} = tensor.empty(%n) : tensor<?x3xi32>
// CHECK-NEXT:    %r = atlas.map ins(%k : i32) outs(%{{[0-9]+}} : tensor<?x3xi32>) maps [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>] {
// CHECK-NEXT:    ^bb0(%{{[0-9]+}}: i32):
// CHECK-NEXT:      atlas.yield %{{[0-9]+}} : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<?x3xi32>
// CHECK-NEXT:  }
