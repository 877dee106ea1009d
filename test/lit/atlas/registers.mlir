// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s
// RUN: hologram-opt %s -p convert-atlas-to-core | filecheck %s --check-prefix=CORE

// Bits as another type; a reduction over values, by halving.

func.func @f(%a: f32, %b: f32, %c: f32) -> (i32, f32) {
  %bits = atlas.cvt.bits f32 to u32 %a
  %sum = atlas.reduce.add f32 %a, %b, %c
  func.return %bits, %sum : i32, f32
}

// CHECK:       %bits = atlas.cvt.bits f32 to u32 %a
// CHECK-NEXT:  %sum = atlas.reduce.add f32 %a, %b, %c

// CORE:        %bits = arith.bitcast %a : f32 to i32
// CORE-NEXT:   %[[V:.*]] = arith.addf %a, %c : f32
// CORE-NEXT:   arith.addf %[[V]], %b : f32
