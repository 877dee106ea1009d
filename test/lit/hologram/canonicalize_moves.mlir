// RUN: hologram-opt %s -p canonicalize | filecheck %s

// A move to the same static shape that moves nothing is nothing.

func.func @nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = hologram.transpose %x {permutation = [0 : i64, 1 : i64]} : tensor<2x3xf32>
  %b = hologram.slice %a {starts = [0 : i64, 0 : i64], strides = [1 : i64, 1 : i64]} : tensor<2x3xf32>
  %c = hologram.reshape %b : tensor<2x3xf32>
  %d = hologram.broadcast %c : tensor<2x3xf32>
  %e = hologram.concat %d {axis = 0 : i64} : tensor<2x3xf32>
  %f = hologram.reduce sum %e {axes = []} : tensor<2x3xf32>
  func.return %f : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:    func.return %x : tensor<2x3xf32>
// CHECK-NEXT:  }

func.func @reversed(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = hologram.slice %x {starts = [1 : i64], strides = [-1 : i64]} : tensor<2xf32>
  func.return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @reversed(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:    %r = hologram.slice %x {starts = [1 : i64], strides = [-1 : i64]} : tensor<2xf32>
// CHECK-NEXT:    func.return %r : tensor<2xf32>
// CHECK-NEXT:  }

func.func @dynamic(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %r = hologram.slice %x sizes(%n) {starts = [0 : i64], strides = [1 : i64]} : tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @dynamic(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
// CHECK-NEXT:    %r = hologram.slice %x sizes(%n) {starts = [0 : i64], strides = [1 : i64]} : tensor<?xf32>
// CHECK-NEXT:    func.return %r : tensor<?xf32>
// CHECK-NEXT:  }
