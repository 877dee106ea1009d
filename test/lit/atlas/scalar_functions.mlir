// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Transcendentals of one lane.

atlas.program @p() {
  %a = atlas.mov_imm 1.500000e+00 : f64
  %a0 = atlas.exp f64 %a
  %a1 = atlas.exp2 f64 %a
  %a2 = atlas.expm1 f64 %a
  %a3 = atlas.log f64 %a
  %a4 = atlas.log2 f64 %a
  %a5 = atlas.log10 f64 %a
  %a6 = atlas.log1p f64 %a
  %a7 = atlas.sin f64 %a
  %a8 = atlas.cos f64 %a
  %a9 = atlas.tan f64 %a
  %a10 = atlas.atan f64 %a
  %a11 = atlas.tanh f64 %a
  %a12 = atlas.erf f64 %a
}

// CHECK-LABEL: atlas.program @p() {
// CHECK-NEXT:    %a = atlas.mov_imm 1.500000e+00 : f64
// CHECK-NEXT:    %a0 = atlas.exp f64 %a
// CHECK-NEXT:    %a1 = atlas.exp2 f64 %a
// CHECK-NEXT:    %a2 = atlas.expm1 f64 %a
// CHECK-NEXT:    %a3 = atlas.log f64 %a
// CHECK-NEXT:    %a4 = atlas.log2 f64 %a
// CHECK-NEXT:    %a5 = atlas.log10 f64 %a
// CHECK-NEXT:    %a6 = atlas.log1p f64 %a
// CHECK-NEXT:    %a7 = atlas.sin f64 %a
// CHECK-NEXT:    %a8 = atlas.cos f64 %a
// CHECK-NEXT:    %a9 = atlas.tan f64 %a
// CHECK-NEXT:    %a10 = atlas.atan f64 %a
// CHECK-NEXT:    %a11 = atlas.tanh f64 %a
// CHECK-NEXT:    %a12 = atlas.erf f64 %a
// CHECK-NEXT:    atlas.exit
// CHECK-NEXT:  }
