// RUN: hologram-opt %s -p 'interleave-chains{length=3}' | filecheck %s
// RUN: hologram-opt %s -p interleave-chains | filecheck %s --check-prefix=SHORT
// RUN: hologram-opt %s -p 'interleave-chains{length=0}' | filecheck %s --check-prefix=SHORT

// Two chains of three operations take turns, in loops too, and what nothing waits for comes last; what is loaded
// stays where it is, and shorter chains behind it as they are.

// CHECK-LABEL: gpu.func
// CHECK: scf.for
// CHECK-NEXT: %a = arith.addf %x, %x
// CHECK-NEXT: %d = arith.addf %y, %y
// CHECK-NEXT: %b = arith.mulf %a, %a
// CHECK-NEXT: %e = arith.mulf %d, %d
// CHECK-NEXT: %late = arith.negf %y
// CHECK-NEXT: %c = arith.addf %b, %a
// CHECK-NEXT: %f = arith.addf %e, %d
// CHECK-NEXT: memref.store %c
// CHECK-NEXT: memref.load
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: memref.store

// SHORT: %a = arith.addf %x, %x
// SHORT-NEXT: %b = arith.mulf %a, %a
// SHORT-NEXT: %c = arith.addf %b, %a
// SHORT-NEXT: %d = arith.addf %y, %y
builtin.module attributes {gpu.container_module} {
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?xf32>, f32, f32) -> ()}> ({
  ^bb0(%m: memref<?xf32>, %x: f32, %y: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    scf.for %i = %c0 to %c9 step %c1 {
      %late = arith.negf %y : f32
      %a = arith.addf %x, %x : f32
      %b = arith.mulf %a, %a : f32
      %c = arith.addf %b, %a : f32
      %d = arith.addf %y, %y : f32
      %e = arith.mulf %d, %d : f32
      %f = arith.addf %e, %d : f32
      memref.store %c, %m[%i] : memref<?xf32>
      %g = memref.load %m[%c0] : memref<?xf32>
      %h = arith.addf %g, %f : f32
      %k = arith.mulf %h, %h : f32
      %l = arith.addf %x, %late : f32
      memref.store %k, %m[%c1] : memref<?xf32>
    }
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
}
