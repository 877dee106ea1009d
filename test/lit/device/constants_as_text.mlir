// RUN: hologram-opt %s -t wgsl | filecheck %s

// Compilers of WGSL compute what is of constants alone, and refuse a root of a negative number: bits are hidden from
// them. Where a value from memory takes part they compute nothing.

// CHECK: let r = sqrt(bitcast<f32>((hidden | 0xc0200000u)));
// CHECK: let s = x * 2.0f;
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xf32>, index) -> ()}> ({
  ^bb0(%a: memref<?xf32>, %i: index):
    %c = arith.constant -2.5 : f32
    %two = arith.constant 2.0 : f32
    %r = math.sqrt %c : f32
    memref.store %r, %a[%i] : memref<?xf32>
    %x = memref.load %a[%i] : memref<?xf32>
    %s = arith.mulf %x, %two : f32
    memref.store %s, %a[%i] : memref<?xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
