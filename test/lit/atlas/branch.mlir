// RUN: hologram-opt %s | hologram-opt | filecheck %s

// CHECK:       atlas.func @f(%x: i32, %m: memref<?xi32>) -> (i32, i1) {
// CHECK-NEXT:    %p = atlas.mov_imm true
// CHECK-NEXT:    atlas.bra %p, ^a(%x : i32), ^b
// CHECK-NEXT:  ^a(%y: i32):
// CHECK-NEXT:    atlas.ret %y, %p : i32, i1
// CHECK-NEXT:  ^b:
// CHECK-NEXT:    atlas.exit
// CHECK-NEXT:  }
atlas.func @f(%x: i32, %m: memref<?xi32>) -> (i32, i1) {
  %p = atlas.mov_imm true
  atlas.bra %p, ^a(%x : i32), ^b
^a(%y: i32):
  atlas.ret %y, %p : i32, i1
^b:
  atlas.exit
}

// CHECK:       atlas.program @p(%x: i32 {some}, %m: memref<?xi32>) {
// CHECK-NEXT:    atlas.bra ^a
// CHECK-NEXT:  ^a:
// CHECK-NEXT:    %{{.*}} = atlas.call @f(%x, %m) : (i32, memref<?xi32>) -> (i32, i1)
// CHECK-NEXT:    %{{.*}} = atlas.repeat iter(%x : i32) -> (i32) {
// CHECK-NEXT:    ^{{.*}}(%v: i32):
// CHECK-NEXT:      %q = atlas.mov_imm false
// CHECK-NEXT:      atlas.yield %q, %x, %v : i1, i32, i32
// CHECK-NEXT:    }
// CHECK-NEXT:    atlas.exit
// CHECK-NEXT:  }
atlas.program @p(%x: i32 {some}, %m: memref<?xi32>) {
  atlas.bra ^a
^a:
  %r:2 = atlas.call @f(%x, %m) : (i32, memref<?xi32>) -> (i32, i1)
  %s = atlas.repeat iter(%x : i32) -> (i32) {
  ^bb0(%v: i32):
    %q = atlas.mov_imm false
    atlas.yield %q, %x, %v : i1, i32, i32
  }
}
