// RUN: hologram-opt %s -t opencl-c | filecheck %s --check-prefix CL
// RUN: hologram-opt %s -t msl | filecheck %s --check-prefix MSL

// Compilers made by LLVM before 16 take x < 0 ? -0.0 : x for a maximum, which gives -0.0 for 0.0.
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xf32>, f32) -> ()}> ({
  ^bb0(%a: memref<?xf32>, %x: f32):
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %negative = arith.constant -0.0 : f32
    %below = arith.cmpf olt, %x, %zero : f32
    // CL:  const float v = (as_uint(x) - 0x80000001u < 0x7f800000u) ? (-0.0f) : x;
    // MSL: const float v = below ? (-0.0f) : x;
    %v = arith.select %below, %negative, %x : f32
    // CL-NEXT: const float w = below ? x : (-0.0f);
    %w = arith.select %below, %x, %negative : f32
    %sum = arith.addf %v, %w : f32
    memref.store %sum, %a[%c0] : memref<?xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
