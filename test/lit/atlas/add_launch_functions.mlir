// RUN: hologram-opt %s -p add-launch-functions | filecheck %s

// A program that nothing launches gets a host function of its name; its block's sizes are arguments where it fixes none.

atlas.program @scale(%x: memref<?xi32>, %k: i32 {hologram.type = "u32"}) block [256, 1, 1] {
}

atlas.program @free() {
}

atlas.program @launched() block [1, 1, 1] {
}

func.func @free_lanes(%n: index) {
  atlas.launch @launched grid(%n, %n, %n)
  func.return
}

// CHECK:       func.func @scale(%x: memref<?xi32>, %k: i32 {hologram.type = "u32"}, %grid_x: index
// CHECK-SAME:    {hologram.name = "grid_x", hologram.size = "grid_x"}, %grid_y: index {{.*}}, %grid_z: index
// CHECK-SAME:    attributes {hologram.launch = {block = array<i64: 256, 1, 1>}} {
// CHECK-NEXT:    atlas.launch @scale_lanes grid(%grid_x, %grid_y, %grid_z) args(%x, %k : memref<?xi32>, i32)
// CHECK-NEXT:    func.return
// CHECK:       atlas.program @scale_lanes(%x: memref<?xi32>, %k: i32 {hologram.type = "u32"}) block [256, 1, 1] {
// CHECK:       func.func @free(%grid_x: index {{.*}} %block_z: index
// CHECK-NEXT:    atlas.launch @free_lanes_ grid(%grid_x, %grid_y, %grid_z) block(%block_x, %block_y, %block_z)
// CHECK:       atlas.program @free_lanes_() {
// CHECK:       atlas.program @launched() block [1, 1, 1] {
