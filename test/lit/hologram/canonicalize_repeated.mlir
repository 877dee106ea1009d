// RUN: hologram-opt %s -p canonicalize | filecheck %s

// f(f(x)) is x for neg and not; one f for abs, relu and the roundings; x op x is x for and, or, min, max.

func.func @involution(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = hologram.neg %x : tensor<2xf32>
  %b = hologram.neg %a : tensor<2xf32>
  func.return %b : tensor<2xf32>
}

// CHECK-LABEL: func.func @involution(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:    func.return %x : tensor<2xf32>
// CHECK-NEXT:  }

func.func @idempotence(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = hologram.floor %x : tensor<2xf32>
  %b = hologram.floor %a : tensor<2xf32>
  %c = hologram.relu %b : tensor<2xf32>
  %d = hologram.relu %c : tensor<2xf32>
  func.return %d : tensor<2xf32>
}

// CHECK-LABEL: func.func @idempotence(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:    %a = hologram.floor %x : tensor<2xf32>
// CHECK-NEXT:    %c = hologram.relu %a : tensor<2xf32>
// CHECK-NEXT:    func.return %c : tensor<2xf32>
// CHECK-NEXT:  }

func.func @same(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = hologram.min %x, %x : tensor<2xf32>
  %b = hologram.max %a, %a : tensor<2xf32>
  func.return %b : tensor<2xf32>
}

// CHECK-LABEL: func.func @same(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:    func.return %x : tensor<2xf32>
// CHECK-NEXT:  }
