// RUN: hologram-opt %s -p expand-math | filecheck %s

// A remainder is exact, so it takes a loop: a step finds 21 bits of the quotient of f32, 50 of f64. Integers say when it
// ends, whatever a device makes of subnormal numbers; on vectors it ends with the last lane.

func.func @scalar(%x: f32, %y: f32) -> f32 {
  %r = arith.remf %x, %y : f32
  func.return %r : f32
}

// CHECK-LABEL: func.func @scalar
// CHECK-NOT:     arith.remf
// CHECK-NOT:     arith.cmpf
// CHECK:         %[[END:.*]], %{{.*}} = scf.while (%{{.*}} = %{{.*}}, %[[BITS:.*]] = %{{.*}}) : (f32, i32) -> (f32, i32) {
// CHECK:           %[[MORE:.*]] = arith.cmpi sgt, %[[BITS]], %{{.*}} : i32
// CHECK-NEXT:      scf.condition(%[[MORE]])
// CHECK:           arith.constant 21 : i32
// CHECK:           math.roundeven
// CHECK:           scf.yield
// CHECK-NOT:     arith.cmpf
// CHECK:         math.copysign %{{.*}}, %x : f32

func.func @vector(%x: vector<4xf64>, %y: vector<4xf64>) -> vector<4xf64> {
  %r = arith.remf %x, %y : vector<4xf64>
  func.return %r : vector<4xf64>
}

// CHECK-LABEL: func.func @vector
// CHECK:         vector.reduction <or>, %{{.*}} : vector<4xi1> into i1
// CHECK:         arith.constant dense<50> : vector<4xi64>
