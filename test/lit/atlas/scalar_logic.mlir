// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Logic, shifts by a u32 amount, comparisons, selection and conversion of one lane.

atlas.program @p() {
  %a = atlas.mov_imm 1 : i64
  %n = atlas.mov_imm 3 : i32
  %p = atlas.mov_imm true
  %a0 = atlas.and i64 %a, %a
  %a1 = atlas.or u64 %a, %a
  %a2 = atlas.xor bool %p, %p
  %a3 = atlas.shl i64 %a, %n
  %a4 = atlas.shr u64 %a, %n
  %a5 = atlas.setcc geu i64 %a, %a
  %a6 = atlas.setcc ne bool %p, %p
  %a7 = atlas.sel i64 %p, %a, %a
  %a8 = atlas.cvt i64 to bf16 %a
  %a9 = atlas.cvt bf16 to u8 %a8
}

// CHECK-LABEL: atlas.program @p() {
// CHECK-NEXT:    %a = atlas.mov_imm 1 : i64
// CHECK-NEXT:    %n = atlas.mov_imm 3 : i32
// CHECK-NEXT:    %p = atlas.mov_imm true
// CHECK-NEXT:    %a0 = atlas.and i64 %a, %a
// CHECK-NEXT:    %a1 = atlas.or u64 %a, %a
// CHECK-NEXT:    %a2 = atlas.xor bool %p, %p
// CHECK-NEXT:    %a3 = atlas.shl i64 %a, %n
// CHECK-NEXT:    %a4 = atlas.shr u64 %a, %n
// CHECK-NEXT:    %a5 = atlas.setcc geu i64 %a, %a
// CHECK-NEXT:    %a6 = atlas.setcc ne bool %p, %p
// CHECK-NEXT:    %a7 = atlas.sel i64 %p, %a, %a
// CHECK-NEXT:    %a8 = atlas.cvt i64 to bf16 %a
// CHECK-NEXT:    %a9 = atlas.cvt bf16 to u8 %a8
// CHECK-NEXT:    atlas.exit
// CHECK-NEXT:  }
