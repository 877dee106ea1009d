// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Element-wise operations of one operand.

func.func @f(%x: tensor<?x4xf32>, %i: tensor<4xi32>) {
  %r0 = hologram.abs %x : tensor<?x4xf32>
  %r1 = hologram.neg %x : tensor<?x4xf32>
  %r2 = hologram.sign %x : tensor<?x4xf32>
  %r3 = hologram.sqrt %x : tensor<?x4xf32>
  %r4 = hologram.rsqrt %x : tensor<?x4xf32>
  %r5 = hologram.reciprocal %x : tensor<?x4xf32>
  %r6 = hologram.exp %x : tensor<?x4xf32>
  %r7 = hologram.exp2 %x : tensor<?x4xf32>
  %r8 = hologram.expm1 %x : tensor<?x4xf32>
  %r9 = hologram.log %x : tensor<?x4xf32>
  %r10 = hologram.log2 %x : tensor<?x4xf32>
  %r11 = hologram.log10 %x : tensor<?x4xf32>
  %r12 = hologram.log1p %x : tensor<?x4xf32>
  %r13 = hologram.sin %x : tensor<?x4xf32>
  %r14 = hologram.cos %x : tensor<?x4xf32>
  %n = hologram.not %i : tensor<4xi32>
  %u = hologram.abs unsigned %i : tensor<4xi32>
  func.return
}

// CHECK-LABEL: func.func @f(%x: tensor<?x4xf32>, %i: tensor<4xi32>) {
// CHECK-NEXT:    %r0 = hologram.abs %x : tensor<?x4xf32>
// CHECK-NEXT:    %r1 = hologram.neg %x : tensor<?x4xf32>
// CHECK-NEXT:    %r2 = hologram.sign %x : tensor<?x4xf32>
// CHECK-NEXT:    %r3 = hologram.sqrt %x : tensor<?x4xf32>
// CHECK-NEXT:    %r4 = hologram.rsqrt %x : tensor<?x4xf32>
// CHECK-NEXT:    %r5 = hologram.reciprocal %x : tensor<?x4xf32>
// CHECK-NEXT:    %r6 = hologram.exp %x : tensor<?x4xf32>
// CHECK-NEXT:    %r7 = hologram.exp2 %x : tensor<?x4xf32>
// CHECK-NEXT:    %r8 = hologram.expm1 %x : tensor<?x4xf32>
// CHECK-NEXT:    %r9 = hologram.log %x : tensor<?x4xf32>
// CHECK-NEXT:    %r10 = hologram.log2 %x : tensor<?x4xf32>
// CHECK-NEXT:    %r11 = hologram.log10 %x : tensor<?x4xf32>
// CHECK-NEXT:    %r12 = hologram.log1p %x : tensor<?x4xf32>
// CHECK-NEXT:    %r13 = hologram.sin %x : tensor<?x4xf32>
// CHECK-NEXT:    %r14 = hologram.cos %x : tensor<?x4xf32>
// CHECK-NEXT:    %n = hologram.not %i : tensor<4xi32>
// CHECK-NEXT:    %u = hologram.abs unsigned %i : tensor<4xi32>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
