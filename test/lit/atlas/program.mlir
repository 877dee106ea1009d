// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Programs, the attributes of their arguments, special registers, launches.

atlas.program @fixed(%m: memref<?xi32> {hologram.type = "u32"}, %k: i32) block [64, 2, 1] attributes {note} {
  %i = atlas.special gid : i64
  %x = atlas.special lane.x : i32
  %b = atlas.special block.y : i32
  %n = atlas.special lanes.z : i32
  %g = atlas.special grid.x : i32
}

// CHECK-LABEL: atlas.program @fixed(%m: memref<?xi32> {hologram.type = "u32"}, %k: i32) block [64, 2, 1] attributes {note} {
// CHECK-NEXT:    %i = atlas.special gid : i64
// CHECK-NEXT:    %x = atlas.special lane.x : i32
// CHECK-NEXT:    %b = atlas.special block.y : i32
// CHECK-NEXT:    %n = atlas.special lanes.z : i32
// CHECK-NEXT:    %g = atlas.special grid.x : i32
// CHECK-NEXT:    atlas.exit
// CHECK-NEXT:  }

atlas.program @free() {
}

// CHECK-LABEL: atlas.program @free() {
// CHECK-NEXT:    atlas.exit
// CHECK-NEXT:  }

func.func @main(%n: index, %m: memref<?xi32>, %k: i32) {
  atlas.launch @fixed grid(%n, %n, %n) args(%m, %k : memref<?xi32>, i32)
  atlas.launch @free grid(%n, %n, %n) block(%n, %n, %n)
  func.return
}

// CHECK-LABEL: func.func @main(%n: index, %m: memref<?xi32>, %k: i32) {
// CHECK-NEXT:    atlas.launch @fixed grid(%n, %n, %n) args(%m, %k : memref<?xi32>, i32)
// CHECK-NEXT:    atlas.launch @free grid(%n, %n, %n) block(%n, %n, %n)
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
