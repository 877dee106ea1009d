// RUN: hologram-opt %s -p convert-atlas-to-core | filecheck %s

// What a program names of the state becomes hidden arguments and private memory; it pays for nothing else.

// CHECK: func.func @main(%trap: memref<8xi64> {hologram.trap}, %classes: memref<1179648xi8> {hologram.classes}, %resonance: memref<192xi64> {hologram.resonance})
func.func @main() {
  %c1 = arith.constant 1 : index
  // CHECK: gpu.launch_func {{.*}} args(%trap : {{.*}}, %classes : {{.*}}, %resonance : {{.*}})
  atlas.launch @p grid(%c1, %c1, %c1)
  func.return
}

// CHECK: gpu.func
// CHECK: memref.alloca() : memref<1xi32, #gpu.address_space<private>>
// CHECK-NOT: memref.alloca
atlas.program @p() block [4, 1, 1] {
  // CHECK: arith.remui %{{.*}}, %{{.*}} : i32
  %c = atlas.cls.get
  atlas.phase.adv %c
  // CHECK: arith.cmpi uge
  // CHECK: cf.assert %{{.*}}, "atlas.bound.map: place out of class memory"
  // CHECK: memref.extract_aligned_pointer_as_index
  %p = atlas.bound.map f32 %c, %c, %c
  %v = atlas.ldg f32 %p[] : !atlas.ptr<f32, class>
  // CHECK: math.roundeven
  // CHECK: func.call @hologram_resonate(%resonance,
  atlas.res.accum f32 %c, %v
}

// CHECK: func.func private @hologram_resonate(%sums: memref<192xi64>, %class: index, %low: i64, %high: i64)
// CHECK: memref.atomic_rmw addi %low, %sums[
