// RUN: hologram-opt %s -p inline-lane-functions | filecheck %s
// Functions that take memrefs go where they are called; others stay functions, and so do those that call themselves.

// CHECK-NOT: atlas.func @first
// CHECK-LABEL: atlas.func @deep
// CHECK: atlas.call @deep
// CHECK-LABEL: atlas.program @k
// CHECK:   %p = atlas.alloca
// CHECK:   atlas.bra %{{.*}}, ^bb1, ^bb2
// CHECK: ^bb1:
// CHECK:   %{{.*}} = atlas.lds f32 %p[
// CHECK:   atlas.bra ^bb3(
// CHECK: ^bb2:
// CHECK:   atlas.bra ^bb3(%none : f32)
// CHECK: ^bb3(%r: f32):
// CHECK:   %s = atlas.call @square(%r)
// CHECK:   %t = atlas.call @deep(%p, %s)
atlas.func @first(%p: memref<64xf32, #atlas.space<shared>>, %none: f32, %c: i1) -> (f32) {
  atlas.bra %c, ^bb1, ^bb2
^bb1:
  %i = atlas.mov_imm 0 : i64
  %v = atlas.lds f32 %p[%i : i64] : memref<64xf32, #atlas.space<shared>>
  atlas.ret %v : f32
^bb2:
  atlas.ret %none : f32
}
atlas.func @square(%x: f32) -> (f32) {
  %r = atlas.mul f32 %x, %x
  atlas.ret %r : f32
}
atlas.func @deep(%p: memref<64xf32, #atlas.space<shared>>, %x: f32) -> (f32) {
  %r = atlas.call @deep(%p, %x) : (memref<64xf32, #atlas.space<shared>>, f32) -> (f32)
  atlas.ret %r : f32
}
atlas.program @k(%y: memref<?xf32>, %none: f32, %c: i1) block [64, 1, 1] {
  %p = atlas.alloca : memref<64xf32, #atlas.space<shared>>
  %r = atlas.call @first(%p, %none, %c) : (memref<64xf32, #atlas.space<shared>>, f32, i1) -> (f32)
  %s = atlas.call @square(%r) : (f32) -> (f32)
  %t = atlas.call @deep(%p, %s) : (memref<64xf32, #atlas.space<shared>>, f32) -> (f32)
  %i = atlas.special gid : i64
  atlas.stg f32 %t, %y[%i : i64] : memref<?xf32>
  atlas.exit
}
