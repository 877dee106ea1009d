// RUN: hologram-opt %s -p convert-atlas-to-core | filecheck %s

// Out of range saturates and NaN gives 0: what fptosi sees is always in range.

// CHECK-LABEL: @cvt
// CHECK:         %[[LOW:.*]] = arith.cmpf olt, %a, %{{.*}} : f32
// CHECK:         %[[HIGH:.*]] = arith.cmpf oge, %a, %{{.*}} : f32
// CHECK:         %[[IN:.*]] = arith.andi
// CHECK:         %[[SAFE:.*]] = arith.select %[[IN]], %a, %{{.*}} : f32
// CHECK:         %[[I:.*]] = arith.fptosi %[[SAFE]] : f32 to i8
// CHECK:         %[[MOST:.*]] = arith.constant 127 : i8
// CHECK-NEXT:    %[[R:.*]] = arith.select %[[HIGH]], %[[MOST]], %[[I]] : i8
// CHECK-NEXT:    %[[LEAST:.*]] = arith.constant -128 : i8
// CHECK-NEXT:    arith.select %[[LOW]], %[[LEAST]], %[[R]] : i8
func.func @cvt(%a: f32) -> i8 {
  %r = atlas.cvt f32 to i8 %a
  func.return %r : i8
}

// i64 to bf16 rounds once: the words become f32 whose last bit is odd where something was cut off, and so does their sum.

// CHECK-LABEL: @once
// CHECK-NOT:     f64
// CHECK:         arith.uitofp %{{.*}} : i32 to f32
// CHECK:         arith.constant 4.2949673e+09 : f32
// CHECK:         arith.truncf %{{.*}} : f32 to bf16
func.func @once(%a: i64) -> bf16 {
  %r = atlas.cvt i64 to bf16 %a
  func.return %r : bf16
}
