// RUN: hologram-opt %s -p expand-narrow-floats | filecheck %s

// bf16 is the upper half of an f32; rounding adds half a unit, less one where the part that stays is even.

func.func @add(%a: bf16, %b: bf16) -> bf16 {
  %r = arith.addf %a, %b : bf16
  func.return %r : bf16
}

// CHECK:       %[[BITS:.*]] = arith.bitcast %a : bf16 to i16
// CHECK-NEXT:  %[[WIDE:.*]] = arith.extui %[[BITS]] : i16 to i32
// CHECK:       %[[UP:.*]] = arith.shli %[[WIDE]], %{{.*}} : i32
// CHECK:       %[[A:.*]] = arith.bitcast %[[UP]] : i32 to f32
// CHECK:       %[[S:.*]] = arith.addf %[[A]], %{{.*}} : f32
// CHECK:       %[[P:.*]] = arith.bitcast %[[S]] : f32 to i32
// CHECK:       %[[NAN:.*]] = arith.cmpf uno, %[[S]], %[[S]] : f32
// CHECK:       arith.trunci %{{.*}} : i32 to i16
// CHECK-NEXT:  arith.bitcast %{{.*}} : i16 to bf16
// CHECK-NOT:   truncf
