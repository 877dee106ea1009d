// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// A type says how the same bits are read.

atlas.program @p() {
  %i = atlas.mov_imm 7 : i16
  %c0 = atlas.abs u16 %i
  %c1 = atlas.abs i16 %i
  %c2 = atlas.neg i16 %i
  %c3 = atlas.sign i16 %i
  %c4 = atlas.relu u16 %i
  %c5 = atlas.not i16 %i
}

// CHECK-LABEL: atlas.program @p() {
// CHECK-NEXT:    %i = atlas.mov_imm 7 : i16
// CHECK-NEXT:    %c0 = atlas.abs u16 %i
// CHECK-NEXT:    %c1 = atlas.abs i16 %i
// CHECK-NEXT:    %c2 = atlas.neg i16 %i
// CHECK-NEXT:    %c3 = atlas.sign i16 %i
// CHECK-NEXT:    %c4 = atlas.relu u16 %i
// CHECK-NEXT:    %c5 = atlas.not i16 %i
// CHECK-NEXT:    atlas.exit
// CHECK-NEXT:  }
