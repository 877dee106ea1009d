// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s
// RUN: hologram-opt %s -p convert-atlas-to-core | filecheck %s --check-prefix=CORE

// Pointers: an object, a type, a byte offset.

func.func @main(%x: memref<4xf32>, %b: memref<?xi8>) {
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%c1, %c1, %c1) args(%x, %b : memref<4xf32>, memref<?xi8>)
  func.return
}
atlas.program @p(%x: memref<4xf32>, %b: memref<?xi8>) block [4, 1, 1] {
  %lane = atlas.special lane.x : i32
  %four = atlas.mov_imm 4 : i32
  %o32 = atlas.mul u32 %lane, %four
  %o = atlas.cvt u32 to u64 %o32
  %p = atlas.lea f32 %x[%o : i64] : memref<4xf32>
  %v = atlas.ldg f32 %p[] : !atlas.ptr<f32, global>
  %q = atlas.lea u16 %b[] : memref<?xi8>
  %r = atlas.lea f32 %q[%o : i64] : !atlas.ptr<i16, global>
  atlas.stg f32 %v, %r[%o : i64] : !atlas.ptr<f32, global>
}

// CHECK:         %p = atlas.lea f32 %x[%o : i64] : memref<4xf32>
// CHECK-NEXT:    %v = atlas.ldg f32 %p[] : !atlas.ptr<f32, global>
// CHECK-NEXT:    %q = atlas.lea u16 %b[] : memref<?xi8>
// CHECK-NEXT:    %r = atlas.lea f32 %q[%o : i64] : !atlas.ptr<i16, global>
// CHECK-NEXT:    atlas.stg f32 %v, %r[%o : i64] : !atlas.ptr<f32, global>

// What is proven needs no guard, and an element of a known object no address.
// CORE-NOT:    cf.assert
// CORE:        %v = memref.load %x[%{{.*}}] : memref<4xf32>
// CORE:        memref.extract_aligned_pointer_as_index %b : memref<?xi8> -> index
// CORE:        cf.assert %{{.*}}, "atlas.stg f32: address out of range"
// CORE-NOT:    cf.assert
// CORE:        llvm.store %v, %{{.*}} {alignment = 1 : i64} : f32, !llvm.ptr
