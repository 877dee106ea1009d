// RUN: hologram-opt %s -p 'expand-math{fma=false}' | filecheck %s

// Without fused multiply-adds the same steps are products and sums.

func.func @exp(%x: f32) -> f32 {
  %y = math.exp %x : f32
  func.return %y : f32
}

// CHECK-LABEL: func.func @exp
// CHECK-NOT:     math.fma
// CHECK:         %[[P:.*]] = arith.mulf
// CHECK:         arith.addf %[[P]]
// CHECK-NOT:     math.fma
// CHECK:         func.return
