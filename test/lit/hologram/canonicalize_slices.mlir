// RUN: hologram-opt %s -p canonicalize | filecheck %s

// A slice of a slice is one slice, but only where every bound is known, since each is checked.

func.func @slices(%x: tensor<9xf32>) -> tensor<2xf32> {
  %a = hologram.slice %x {starts = [8 : i64], strides = [-2 : i64]} : tensor<9xf32> to tensor<4xf32>
  %b = hologram.slice %a {starts = [1 : i64], strides = [2 : i64]} : tensor<4xf32> to tensor<2xf32>
  func.return %b : tensor<2xf32>
}

// CHECK-LABEL: func.func @slices(%x: tensor<9xf32>) -> tensor<2xf32> {
// CHECK-NEXT:    %b = hologram.slice %x {starts = [6 : i64], strides = [-4 : i64]} : tensor<9xf32> to tensor<2xf32>
// CHECK-NEXT:    func.return %b : tensor<2xf32>
// CHECK-NEXT:  }

func.func @empty(%x: tensor<9xf32>) -> tensor<0xf32> {
  %a = hologram.slice %x {starts = [0 : i64], strides = [-1 : i64]} : tensor<9xf32> to tensor<1xf32>
  %b = hologram.slice %a {starts = [5 : i64], strides = [1 : i64]} : tensor<1xf32> to tensor<0xf32>
  func.return %b : tensor<0xf32>
}

// CHECK-LABEL: func.func @empty(%x: tensor<9xf32>) -> tensor<0xf32> {
// CHECK-NEXT:    %b = hologram.slice %x {starts = [0 : i64], strides = [-1 : i64]} : tensor<9xf32> to tensor<0xf32>
// CHECK-NEXT:    func.return %b : tensor<0xf32>
// CHECK-NEXT:  }

func.func @dynamic(%x: tensor<9xf32>, %n: index) -> tensor<2xf32> {
  %a = hologram.slice %x sizes(%n) {starts = [0 : i64], strides = [1 : i64]} : tensor<9xf32> to tensor<?xf32>
  %b = hologram.slice %a {starts = [1 : i64], strides = [1 : i64]} : tensor<?xf32> to tensor<2xf32>
  func.return %b : tensor<2xf32>
}

// CHECK-LABEL: func.func @dynamic(%x: tensor<9xf32>, %n: index) -> tensor<2xf32> {
// CHECK-NEXT:    %a = hologram.slice %x sizes(%n) {starts = [0 : i64], strides = [1 : i64]} : tensor<9xf32> to tensor<?xf32>
// CHECK-NEXT:    %b = hologram.slice %a {starts = [1 : i64], strides = [1 : i64]} : tensor<?xf32> to tensor<2xf32>
// CHECK-NEXT:    func.return %b : tensor<2xf32>
// CHECK-NEXT:  }
