// RUN: hologram-opt %s | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt | filecheck %s

// Classes, the state of a lane and class memory print as they are read.

// CHECK-LABEL: atlas.program @state
atlas.program @state(%x: memref<?xf32>) block [4, 1, 1] {
  // CHECK: %c = atlas.cls.get
  %c = atlas.cls.get
  // CHECK-NEXT: %m = atlas.mirror u32 %c
  %m = atlas.mirror u32 %c
  // CHECK-NEXT: %u = atlas.is_unity u32 %c
  %u = atlas.is_unity u32 %c
  // CHECK-NEXT: %k = atlas.nbr.count u32 %c
  %k = atlas.nbr.count u32 %c
  // CHECK-NEXT: %n = atlas.nbr.get u32 %c, %k
  %n = atlas.nbr.get u32 %c, %k
  // CHECK-NEXT: %p = atlas.phase.get
  %p = atlas.phase.get
  // CHECK-NEXT: atlas.phase.adv %p
  atlas.phase.adv %p
  // CHECK-NEXT: atlas.phase.write %c, %p
  atlas.phase.write %c, %p
  // CHECK-NEXT: %q = atlas.phase.read %c
  %q = atlas.phase.read %c
  // CHECK-NEXT: %a = atlas.bound.map f32 %c, %k, %q
  %a = atlas.bound.map f32 %c, %k, %q
  // CHECK-NEXT: %o = atlas.special gid : i64
  %o = atlas.special gid : i64
  // CHECK-NEXT: %d = atlas.cls.of f32 %a[%o : i64] : !atlas.ptr<f32, class>
  %d = atlas.cls.of f32 %a[%o : i64] : !atlas.ptr<f32, class>
  // CHECK-NEXT: %v = atlas.nbr.load f32 %a[] : !atlas.ptr<f32, class>, %n
  %v = atlas.nbr.load f32 %a[] : !atlas.ptr<f32, class>, %n
  // CHECK-NEXT: atlas.nbr.store f32 %v, %a[%o : i64] : !atlas.ptr<f32, class>, %n
  atlas.nbr.store f32 %v, %a[%o : i64] : !atlas.ptr<f32, class>, %n
  // CHECK-NEXT: atlas.res.accum f32 %d, %v
  atlas.res.accum f32 %d, %v
  // CHECK-NEXT: %t = atlas.unity.test f32 %v
  %t = atlas.unity.test f32 %v
}
