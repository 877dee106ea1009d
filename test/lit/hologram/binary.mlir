// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Element-wise operations of two and three operands; one type stands for all, or each is written.

func.func @f(%x: tensor<?xf32>, %y: tensor<4xf32>, %i: tensor<i32>) {
  %r0 = hologram.add %x, %x : tensor<?xf32>
  %r1 = hologram.sub %x, %x : tensor<?xf32>
  %r2 = hologram.mul %x, %x : tensor<?xf32>
  %r3 = hologram.div %x, %x : tensor<?xf32>
  %r4 = hologram.rem %x, %x : tensor<?xf32>
  %r5 = hologram.pow %x, %x : tensor<?xf32>
  %r6 = hologram.atan2 %x, %x : tensor<?xf32>
  %r7 = hologram.min %x, %x : tensor<?xf32>
  %r8 = hologram.max %x, %x : tensor<?xf32>
  %i0 = hologram.and %i, %i : tensor<i32>
  %i1 = hologram.or %i, %i : tensor<i32>
  %i2 = hologram.xor %i, %i : tensor<i32>
  %i3 = hologram.shl %i, %i : tensor<i32>
  %i4 = hologram.shr unsigned %i, %i : tensor<i32>
  %i5 = hologram.div unsigned %i, %i : tensor<i32>
  %t0 = hologram.fma %x, %x, %x : tensor<?xf32>
  %t1 = hologram.mad %x, %x, %x : tensor<?xf32>
  %t2 = hologram.fms %x, %x, %x : tensor<?xf32>
  %t3 = hologram.clamp %x, %x, %x : tensor<?xf32>
  %t4 = hologram.lerp %x, %x, %x : tensor<?xf32>
  %m = hologram.add %x, %y : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// CHECK-LABEL: func.func @f(%x: tensor<?xf32>, %y: tensor<4xf32>, %i: tensor<i32>) {
// CHECK-NEXT:    %r0 = hologram.add %x, %x : tensor<?xf32>
// CHECK-NEXT:    %r1 = hologram.sub %x, %x : tensor<?xf32>
// CHECK-NEXT:    %r2 = hologram.mul %x, %x : tensor<?xf32>
// CHECK-NEXT:    %r3 = hologram.div %x, %x : tensor<?xf32>
// CHECK-NEXT:    %r4 = hologram.rem %x, %x : tensor<?xf32>
// CHECK-NEXT:    %r5 = hologram.pow %x, %x : tensor<?xf32>
// CHECK-NEXT:    %r6 = hologram.atan2 %x, %x : tensor<?xf32>
// CHECK-NEXT:    %r7 = hologram.min %x, %x : tensor<?xf32>
// CHECK-NEXT:    %r8 = hologram.max %x, %x : tensor<?xf32>
// CHECK-NEXT:    %i0 = hologram.and %i, %i : tensor<i32>
// CHECK-NEXT:    %i1 = hologram.or %i, %i : tensor<i32>
// CHECK-NEXT:    %i2 = hologram.xor %i, %i : tensor<i32>
// CHECK-NEXT:    %i3 = hologram.shl %i, %i : tensor<i32>
// CHECK-NEXT:    %i4 = hologram.shr unsigned %i, %i : tensor<i32>
// CHECK-NEXT:    %i5 = hologram.div unsigned %i, %i : tensor<i32>
// CHECK-NEXT:    %t0 = hologram.fma %x, %x, %x : tensor<?xf32>
// CHECK-NEXT:    %t1 = hologram.mad %x, %x, %x : tensor<?xf32>
// CHECK-NEXT:    %t2 = hologram.fms %x, %x, %x : tensor<?xf32>
// CHECK-NEXT:    %t3 = hologram.clamp %x, %x, %x : tensor<?xf32>
// CHECK-NEXT:    %t4 = hologram.lerp %x, %x, %x : tensor<?xf32>
// CHECK-NEXT:    %m = hologram.add %x, %y : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
