// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Loops that carry values and that do not.

atlas.program @p() {
  %n = atlas.mov_imm 3 : i32
  %x = atlas.mov_imm 1.000000e+00 : f32
  %s = atlas.loop %n : i32 iter(%x : f32) {
  ^bb0(%i: i32, %acc: f32):
    %next = atlas.add f32 %acc, %x
    atlas.yield %next : f32
  }
  atlas.loop %n : i32 {
  ^bb0(%j: i32):
    atlas.bar.sync 2
  }
}

// CHECK-LABEL: atlas.program @p() {
// CHECK-NEXT:    %n = atlas.mov_imm 3 : i32
// CHECK-NEXT:    %x = atlas.mov_imm 1.000000e+00 : f32
// CHECK-NEXT:    %s = atlas.loop %n : i32 iter(%x : f32) {
// CHECK-NEXT:    ^bb0(%i: i32, %acc: f32):
// CHECK-NEXT:      %next = atlas.add f32 %acc, %x
// CHECK-NEXT:      atlas.yield %next : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    atlas.loop %n : i32 {
// CHECK-NEXT:    ^bb0(%j: i32):
// CHECK-NEXT:      atlas.bar.sync 2
// CHECK-NEXT:      atlas.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    atlas.exit
// CHECK-NEXT:  }
