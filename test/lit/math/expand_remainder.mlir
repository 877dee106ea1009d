// RUN: hologram-opt %s -p expand-math | filecheck %s

// A remainder is exact, so it takes a loop; on vectors it ends with the last lane.

func.func @scalar(%x: f32, %y: f32) -> f32 {
  %r = arith.remf %x, %y : f32
  func.return %r : f32
}

// CHECK-LABEL: func.func @scalar
// CHECK-NOT:     arith.remf
// CHECK:         %[[END:.*]] = scf.while (%[[REST:.*]] = %{{.*}}) : (f32) -> f32 {
// CHECK:           %[[MORE:.*]] = arith.cmpf oge, %[[REST]], %{{.*}} : f32
// CHECK-NEXT:      scf.condition(%[[MORE]]) %[[REST]] : f32
// CHECK:           math.trunc
// CHECK:           scf.yield
// CHECK:         math.copysign %[[END]], %x : f32

func.func @vector(%x: vector<4xf64>, %y: vector<4xf64>) -> vector<4xf64> {
  %r = arith.remf %x, %y : vector<4xf64>
  func.return %r : vector<4xf64>
}

// CHECK-LABEL: func.func @vector
// CHECK:         vector.reduction <or>, %{{.*}} : vector<4xi1> into i1
