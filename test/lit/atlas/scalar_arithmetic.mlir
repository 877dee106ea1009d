// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Arithmetic of one lane: the type is written once.

atlas.program @p() {
  %a = atlas.mov_imm 1.500000e+00 : f32
  %a0 = atlas.add f32 %a, %a
  %a1 = atlas.sub f32 %a, %a
  %a2 = atlas.mul f32 %a, %a
  %a3 = atlas.div f32 %a, %a
  %a4 = atlas.rem f32 %a, %a
  %a5 = atlas.min f32 %a, %a
  %a6 = atlas.max f32 %a, %a
  %a7 = atlas.min.nan f32 %a, %a
  %a8 = atlas.max.nan f32 %a, %a
  %a9 = atlas.pow f32 %a, %a
  %a10 = atlas.atan2 f32 %a, %a
  %b0 = atlas.mad f32 %a, %a, %a
  %b1 = atlas.fma f32 %a, %a, %a
  %b2 = atlas.fms f32 %a, %a, %a
  %b3 = atlas.clamp f32 %a, %a, %a
  %b4 = atlas.lerp f32 %a, %a, %a

}

// CHECK-LABEL: atlas.program @p() {
// CHECK-NEXT:    %a = atlas.mov_imm 1.500000e+00 : f32
// CHECK-NEXT:    %a0 = atlas.add f32 %a, %a
// CHECK-NEXT:    %a1 = atlas.sub f32 %a, %a
// CHECK-NEXT:    %a2 = atlas.mul f32 %a, %a
// CHECK-NEXT:    %a3 = atlas.div f32 %a, %a
// CHECK-NEXT:    %a4 = atlas.rem f32 %a, %a
// CHECK-NEXT:    %a5 = atlas.min f32 %a, %a
// CHECK-NEXT:    %a6 = atlas.max f32 %a, %a
// CHECK-NEXT:    %a7 = atlas.min.nan f32 %a, %a
// CHECK-NEXT:    %a8 = atlas.max.nan f32 %a, %a
// CHECK-NEXT:    %a9 = atlas.pow f32 %a, %a
// CHECK-NEXT:    %a10 = atlas.atan2 f32 %a, %a
// CHECK-NEXT:    %b0 = atlas.mad f32 %a, %a, %a
// CHECK-NEXT:    %b1 = atlas.fma f32 %a, %a, %a
// CHECK-NEXT:    %b2 = atlas.fms f32 %a, %a, %a
// CHECK-NEXT:    %b3 = atlas.clamp f32 %a, %a, %a
// CHECK-NEXT:    %b4 = atlas.lerp f32 %a, %a, %a
// CHECK-NEXT:    atlas.exit
// CHECK-NEXT:  }
