// RUN: hologram-opt %s -p canonicalize | filecheck %s

// A choice between equals, a choice by a constant, a cast to the type it has.

func.func @equals(%p: tensor<2xi1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %r = hologram.select %p, %x, %x : tensor<2xf32>
  func.return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @equals(%p: tensor<2xi1>, %x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:    func.return %x : tensor<2xf32>
// CHECK-NEXT:  }

func.func @constant(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %t = hologram.constant dense<true> : tensor<2xi1>
  %f = hologram.constant dense<false> : tensor<2xi1>
  %r = hologram.select %t, %x, %y : tensor<2xf32>
  %s = hologram.select %f, %x, %y : tensor<2xf32>
  func.return %r, %s : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @constant(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
// CHECK-NEXT:    func.return %x, %y : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT:  }

func.func @cast(%x: tensor<2xi32>) -> tensor<2xi32> {
  %r = hologram.cast unsigned %x : tensor<2xi32>
  func.return %r : tensor<2xi32>
}

// CHECK-LABEL: func.func @cast(%x: tensor<2xi32>) -> tensor<2xi32> {
// CHECK-NEXT:    func.return %x : tensor<2xi32>
// CHECK-NEXT:  }
