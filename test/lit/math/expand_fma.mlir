// RUN: hologram-opt %s -p expand-fma | filecheck %s

// CHECK: func.func private @hologram_fma_f64(

// The product of two f32 is exact in f64; rounding the sum to odd leaves one rounding, that to f32.
func.func @f32(%a: vector<4xf32>) -> vector<4xf32> {
  %r = vector.fma %a, %a, %a : vector<4xf32>
  func.return %r : vector<4xf32>
}
// CHECK-LABEL: func.func @f32
// CHECK-NEXT:    [[W:%.*]] = arith.extf %a : vector<4xf32> to vector<4xf64>
// CHECK:         [[P:%.*]] = arith.mulf {{.*}} : vector<4xf64>
// CHECK:         arith.addf [[P]], {{.*}} : vector<4xf64>
// CHECK:         [[ODD:%.*]] = arith.bitcast {{.*}} : vector<4xi64> to vector<4xf64>
// CHECK-NEXT:    %r = arith.truncf [[ODD]] : vector<4xf64> to vector<4xf32>

// f64 has no wider type: a function of integers.
func.func @f64(%a: f64) -> f64 {
  %r = math.fma %a, %a, %a : f64
  func.return %r : f64
}
// CHECK-LABEL: func.func @f64
// CHECK-NEXT:    %r = func.call @hologram_fma_f64(%a, %a, %a) : (f64, f64, f64) -> f64
