// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Conditions; terminators that yield nothing may be left out.

atlas.program @p() {
  %p = atlas.mov_imm true
  %n = atlas.mov_imm 3 : i32
  %x = atlas.mov_imm 1.000000e+00 : f32
  %r = atlas.if %p -> (f32) {
    atlas.yield %x : f32
  } else {
    %y = atlas.neg f32 %x
    atlas.yield %y : f32
  }
  atlas.if %p {
    atlas.exit
  }
  atlas.if %p {
  } else {
    atlas.bar.sync 1
  }
}

// CHECK-LABEL: atlas.program @p() {
// CHECK-NEXT:    %p = atlas.mov_imm true
// CHECK-NEXT:    %n = atlas.mov_imm 3 : i32
// CHECK-NEXT:    %x = atlas.mov_imm 1.000000e+00 : f32
// CHECK-NEXT:    %r = atlas.if %p -> (f32) {
// CHECK-NEXT:      atlas.yield %x : f32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %y = atlas.neg f32 %x
// CHECK-NEXT:      atlas.yield %y : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    atlas.if %p {
// CHECK-NEXT:      atlas.exit
// CHECK-NEXT:    }
// CHECK-NEXT:    atlas.if %p {
// CHECK-NEXT:      atlas.yield
// CHECK-NEXT:    } else {
// CHECK-NEXT:      atlas.bar.sync 1
// CHECK-NEXT:      atlas.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    atlas.exit
// CHECK-NEXT:  }
