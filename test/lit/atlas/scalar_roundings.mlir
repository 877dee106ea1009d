// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Roundings, roots and activations of one lane.

atlas.program @p() {
  %a = atlas.mov_imm 1.500000e+00 : f64
  %a0 = atlas.floor f64 %a
  %a1 = atlas.ceil f64 %a
  %a2 = atlas.round f64 %a
  %a3 = atlas.trunc f64 %a
  %a4 = atlas.sqrt f64 %a
  %a5 = atlas.rsqrt f64 %a
  %a6 = atlas.rcp f64 %a
  %a7 = atlas.sigmoid f64 %a
  %a8 = atlas.gelu f64 %a
  %a9 = atlas.gelu.tanh f64 %a
  %a10 = atlas.swish f64 %a
  %a11 = atlas.relu f64 %a
}

// CHECK-LABEL: atlas.program @p() {
// CHECK-NEXT:    %a = atlas.mov_imm 1.500000e+00 : f64
// CHECK-NEXT:    %a0 = atlas.floor f64 %a
// CHECK-NEXT:    %a1 = atlas.ceil f64 %a
// CHECK-NEXT:    %a2 = atlas.round f64 %a
// CHECK-NEXT:    %a3 = atlas.trunc f64 %a
// CHECK-NEXT:    %a4 = atlas.sqrt f64 %a
// CHECK-NEXT:    %a5 = atlas.rsqrt f64 %a
// CHECK-NEXT:    %a6 = atlas.rcp f64 %a
// CHECK-NEXT:    %a7 = atlas.sigmoid f64 %a
// CHECK-NEXT:    %a8 = atlas.gelu f64 %a
// CHECK-NEXT:    %a9 = atlas.gelu.tanh f64 %a
// CHECK-NEXT:    %a10 = atlas.swish f64 %a
// CHECK-NEXT:    %a11 = atlas.relu f64 %a
// CHECK-NEXT:    atlas.exit
// CHECK-NEXT:  }
