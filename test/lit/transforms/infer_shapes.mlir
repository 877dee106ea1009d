// RUN: hologram-opt %s -p infer-shapes | filecheck %s

// Static sizes follow from operands and from sizes that are constants; functions and calls follow.

func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<?xf32> {
  %c = hologram.concat %a, %b {axis = 0 : i64} : (tensor<2xf32>, tensor<3xf32>) -> tensor<?xf32>
  func.return %c : tensor<?xf32>
}

// CHECK-LABEL: func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<5xf32> {
// CHECK-NEXT:    %c = hologram.concat %a, %b {axis = 0 : i64} : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
// CHECK-NEXT:    func.return %c : tensor<5xf32>
// CHECK-NEXT:  }

func.func @sizes(%a: tensor<4xf32>, %n: index) -> tensor<?x?x4xf32> {
  %d = hologram.dim %a {axis = 0 : i64} : tensor<4xf32> to index
  %r = hologram.broadcast %a sizes(%n, %d) : tensor<4xf32> to tensor<?x?x4xf32>
  func.return %r : tensor<?x?x4xf32>
}

// CHECK-LABEL: func.func @sizes(%a: tensor<4xf32>, %n: index) -> tensor<?x4x4xf32> {
// CHECK-NEXT:    %d = hologram.dim %a {axis = 0 : i64} : tensor<4xf32> to index
// CHECK-NEXT:    %r = hologram.broadcast %a sizes(%n) : tensor<4xf32> to tensor<?x4x4xf32>
// CHECK-NEXT:    func.return %r : tensor<?x4x4xf32>
// CHECK-NEXT:  }

func.func @call(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<?xf32> {
  %c = func.call @main(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<?xf32>
  %r = hologram.neg %c : tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @call(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<5xf32> {
// CHECK-NEXT:    %c = func.call @main(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
// CHECK-NEXT:    %r = hologram.neg %c : tensor<5xf32>
// CHECK-NEXT:    func.return %r : tensor<5xf32>
// CHECK-NEXT:  }

func.func @reshape(%a: tensor<6x4xf32>) -> tensor<3x?xf32> {
  %r = hologram.reshape %a : tensor<6x4xf32> to tensor<3x?xf32>
  func.return %r : tensor<3x?xf32>
}

// CHECK-LABEL: func.func @reshape(%a: tensor<6x4xf32>) -> tensor<3x8xf32> {
// CHECK-NEXT:    %r = hologram.reshape %a : tensor<6x4xf32> to tensor<3x8xf32>
// CHECK-NEXT:    func.return %r : tensor<3x8xf32>
// CHECK-NEXT:  }
