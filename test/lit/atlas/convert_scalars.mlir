// RUN: hologram-opt %s -p convert-atlas-to-core | filecheck %s

// IEEE minimumNumber is minimum but for NaN; shifts count modulo the width; least / -1 wraps.

// CHECK-LABEL: @min
// CHECK-NEXT:    %[[M:.*]] = arith.minimumf %a, %b : f32
// CHECK-NEXT:    %[[NA:.*]] = arith.cmpf uno, %a, %a : f32
// CHECK-NEXT:    %[[NB:.*]] = arith.cmpf uno, %b, %b : f32
// CHECK-NEXT:    %[[R:.*]] = arith.select %[[NB]], %a, %[[M]] : f32
// CHECK-NEXT:    arith.select %[[NA]], %b, %[[R]] : f32
func.func @min(%a: f32, %b: f32) -> f32 {
  %r = atlas.min f32 %a, %b
  func.return %r : f32
}

// CHECK-LABEL: @shr
// CHECK-NEXT:    %[[C:.*]] = arith.constant 15 : i32
// CHECK-NEXT:    %[[N:.*]] = arith.andi %n, %[[C]] : i32
// CHECK-NEXT:    %[[S:.*]] = arith.trunci %[[N]] : i32 to i16
// CHECK-NEXT:    arith.shrsi %a, %[[S]] : i16
func.func @shr(%a: i16, %n: i32) -> i16 {
  %r = atlas.shr i16 %a, %n
  func.return %r : i16
}

// CHECK-LABEL: @rem
// CHECK:         %[[ZERO:.*]] = arith.cmpi eq, %b, %{{.*}} : i32
// CHECK-NEXT:    scf.if %[[ZERO]] {
// CHECK:           func.call @hologram_trap(%trap,
// CHECK:         cf.assert %{{.*}}, "atlas.rem i32: integer division by zero"
// CHECK:         %[[MINUS:.*]] = arith.cmpi eq, %b, %{{.*}} : i32
// CHECK:         %[[D:.*]] = arith.select %[[MINUS]], %{{.*}}, %b : i32
// CHECK-NEXT:    arith.remsi %a, %[[D]] : i32
func.func @rem(%a: i32, %b: i32) -> i32 {
  %r = atlas.rem i32 %a, %b
  func.return %r : i32
}
