// RUN: hologram-opt %s -p structure-control-flow | filecheck %s

// A loop that is left in two places, one of them to code of its own.

// CHECK-LABEL: atlas.program @two_ways_out
// CHECK:         %{{.*}}, %{{.*}} = atlas.repeat iter(%n : i32) -> (i32, i32) {
// CHECK-NEXT:    ^{{.*}}(%w: i32):
// CHECK:           atlas.yield %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : i1, i32, i32, i32
// CHECK:         atlas.if
// CHECK-NEXT:      atlas.stg i32
// CHECK:         atlas.exit
atlas.program @two_ways_out(%x: memref<?xi32>, %n: i32) {
  %zero = atlas.mov_imm 0 : i32
  %one = atlas.mov_imm 1 : i32
  %i = atlas.special gid : i64
  atlas.bra ^head(%n : i32)
^head(%w: i32):
  %p = atlas.setcc eq i32 %w, %zero
  atlas.bra %p, ^done, ^body
^body:
  %h = atlas.call @less(%w) : (i32) -> (i32)
  %q = atlas.setcc lt i32 %h, %one
  atlas.bra %q, ^store, ^head(%h : i32)
^store:
  atlas.stg i32 %h, %x[%i : i64] : memref<?xi32>
  atlas.bra ^done
^done:
}

// CHECK-NOT: atlas.func @less
atlas.func @less(%w: i32) -> (i32) {
  %one = atlas.mov_imm 1 : i32
  %h = atlas.sub i32 %w, %one
  atlas.ret %h : i32
}

// A function that calls itself stays, and counts how deep it is.

// CHECK:       atlas.func @down(%w: i32, %depth: i32) -> (i32) {
// CHECK:         atlas.assert %{{.*}}, "atlas.call @down: calls are nested deeper than 256 return addresses"
// CHECK:         atlas.call @down(%{{.*}}, %{{.*}}) : (i32, i32) -> (i32)
atlas.func @down(%w: i32) -> (i32) {
  %h = atlas.call @less(%w) : (i32) -> (i32)
  %r = atlas.call @down(%h) : (i32) -> (i32)
  atlas.ret %r : i32
}
