// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Element-wise operations of one operand.

func.func @f(%x: tensor<?x4xf32>, %i: tensor<4xi32>) {
  %r0 = hologram.tan %x : tensor<?x4xf32>
  %r1 = hologram.atan %x : tensor<?x4xf32>
  %r2 = hologram.tanh %x : tensor<?x4xf32>
  %r3 = hologram.sigmoid %x : tensor<?x4xf32>
  %r4 = hologram.erf %x : tensor<?x4xf32>
  %r5 = hologram.relu %x : tensor<?x4xf32>
  %r6 = hologram.gelu %x : tensor<?x4xf32>
  %r7 = hologram.gelu_tanh %x : tensor<?x4xf32>
  %r8 = hologram.swish %x : tensor<?x4xf32>
  %r9 = hologram.floor %x : tensor<?x4xf32>
  %r10 = hologram.ceil %x : tensor<?x4xf32>
  %r11 = hologram.round %x : tensor<?x4xf32>
  %r12 = hologram.trunc %x : tensor<?x4xf32>
  %n = hologram.not %i : tensor<4xi32>
  %u = hologram.abs unsigned %i : tensor<4xi32>
  func.return
}

// CHECK-LABEL: func.func @f(%x: tensor<?x4xf32>, %i: tensor<4xi32>) {
// CHECK-NEXT:    %r0 = hologram.tan %x : tensor<?x4xf32>
// CHECK-NEXT:    %r1 = hologram.atan %x : tensor<?x4xf32>
// CHECK-NEXT:    %r2 = hologram.tanh %x : tensor<?x4xf32>
// CHECK-NEXT:    %r3 = hologram.sigmoid %x : tensor<?x4xf32>
// CHECK-NEXT:    %r4 = hologram.erf %x : tensor<?x4xf32>
// CHECK-NEXT:    %r5 = hologram.relu %x : tensor<?x4xf32>
// CHECK-NEXT:    %r6 = hologram.gelu %x : tensor<?x4xf32>
// CHECK-NEXT:    %r7 = hologram.gelu_tanh %x : tensor<?x4xf32>
// CHECK-NEXT:    %r8 = hologram.swish %x : tensor<?x4xf32>
// CHECK-NEXT:    %r9 = hologram.floor %x : tensor<?x4xf32>
// CHECK-NEXT:    %r10 = hologram.ceil %x : tensor<?x4xf32>
// CHECK-NEXT:    %r11 = hologram.round %x : tensor<?x4xf32>
// CHECK-NEXT:    %r12 = hologram.trunc %x : tensor<?x4xf32>
// CHECK-NEXT:    %n = hologram.not %i : tensor<4xi32>
// CHECK-NEXT:    %u = hologram.abs unsigned %i : tensor<4xi32>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
