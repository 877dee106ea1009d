// RUN: hologram-opt %s -p expand-math | filecheck %s

// f16 is computed in f32 and rounded once; sqrt stays.

func.func @rsqrt(%x: f16) -> f16 {
  %y = math.rsqrt %x : f16
  func.return %y : f16
}

// CHECK:       func.func @rsqrt(%x: f16) -> f16 {
// CHECK-NEXT:    %[[X:.*]] = arith.extf %x : f16 to f32
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:    %[[ROOT:.*]] = math.sqrt %[[X]] : f32
// CHECK-NEXT:    %[[Q:.*]] = arith.divf %[[ONE]], %[[ROOT]] : f32
// CHECK-NEXT:    %y = arith.truncf %[[Q]] : f32 to f16
// CHECK-NEXT:    func.return %y : f16

// No branch and no call, on vectors too.

func.func @exp(%x: vector<4xf32>) -> vector<4xf32> {
  %y = math.exp %x : vector<4xf32>
  func.return %y : vector<4xf32>
}

// CHECK-LABEL: func.func @exp
// CHECK-NOT:     call
// CHECK-NOT:     cf.
// CHECK-NOT:     scf.
// CHECK:         arith.select {{.*}} : vector<4xi1>, vector<4xf32>
// CHECK:         math.fma {{.*}} : vector<4xf32>
// CHECK:         arith.bitcast {{.*}} : vector<4xf32> to vector<4xi32>
// CHECK:         func.return
