// RUN: hologram-opt %s -p canonicalize | filecheck %s

// Signed and unsigned readings of one operation are two functions: |x| of the unsigned x is not x.

func.func @mixed(%x: tensor<2xi32>) -> tensor<2xi32> {
  %a = hologram.abs unsigned %x : tensor<2xi32>
  %b = hologram.abs %a : tensor<2xi32>
  func.return %b : tensor<2xi32>
}

// CHECK-LABEL: func.func @mixed(%x: tensor<2xi32>) -> tensor<2xi32> {
// CHECK-NEXT:    %a = hologram.abs unsigned %x : tensor<2xi32>
// CHECK-NEXT:    %b = hologram.abs %a : tensor<2xi32>
// CHECK-NEXT:    func.return %b : tensor<2xi32>
// CHECK-NEXT:  }

func.func @equal(%x: tensor<2xi32>) -> tensor<2xi32> {
  %a = hologram.sign unsigned %x : tensor<2xi32>
  %b = hologram.sign unsigned %a : tensor<2xi32>
  func.return %b : tensor<2xi32>
}

// CHECK-LABEL: func.func @equal(%x: tensor<2xi32>) -> tensor<2xi32> {
// CHECK-NEXT:    %a = hologram.sign unsigned %x : tensor<2xi32>
// CHECK-NEXT:    func.return %a : tensor<2xi32>
// CHECK-NEXT:  }
