// RUN: hologram-opt %s -p canonicalize | filecheck %s

// Maps of constants are constants, one that gives an operand is that operand; loops that do nothing go.

func.func @maps(%i: index) -> (index, index, index, index, index) {
  %c7 = arith.constant 7 : index
  %cm7 = arith.constant -7 : index
  %same = affine.apply affine_map<(d0)[s0] -> (s0)> (%c7)[%i]
  %a = affine.apply affine_map<(d0) -> (d0 floordiv 2)> (%cm7)
  %b = affine.min affine_map<(d0)[s0] -> (d0 mod 4, s0 + 1)> (%cm7)[%c7]
  %c = affine.max affine_map<(d0)[s0] -> (d0, s0 + 1)> (%cm7)[%c7]
  %undefined = affine.apply affine_map<(d0) -> (d0 mod 0)> (%c7)
  return %same, %a, %b, %c, %undefined : index, index, index, index, index
}
// CHECK:      @maps
// CHECK-DAG: %[[a:.*]] = arith.constant -4 : index
// CHECK-DAG: %[[b:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[c:.*]] = arith.constant 8 : index
// CHECK:      %[[u:.*]] = affine.apply
// CHECK-NEXT: func.return %i, %[[a]], %[[b]], %[[c]], %[[u]]

func.func @loops(%a: memref<8xf32>, %x: f32) -> f32 {
  affine.for %i = 0 to 8 {
  }
  %never = affine.for %i = 8 to 8 iter_args(%y = %x) -> (f32) {
    %z = arith.addf %y, %y : f32
    affine.yield %z : f32
  }
  %c = memref.cast %a : memref<8xf32> to memref<?xf32>
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) {
      affine.store %never, %c[%i] : memref<?xf32>
    } else {
    }
  }
  return %never : f32
}
// CHECK:      @loops
// CHECK-NEXT: affine.for %i = 0 to 8 {
// CHECK-NEXT:   affine.if
// CHECK-NEXT:     affine.store %x, %a[%i] : memref<8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: func.return %x
