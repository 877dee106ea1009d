// RUN: hologram-opt %s -t wgsl | filecheck %s
// RUN: hologram-opt %s -t opencl-c | filecheck %s --check-prefix CL

// Arrays of which none is needed while another is are one in WGSL; what stands in another's block has its own place.

// CHECK-DAG: var a: array<f32, 8>;
// CHECK-DAG: var b: array<f32, 8>;
// CHECK-DAG: var d: array<u32, 8>;
// CHECK-NOT: array<f32, 8>;
// CHECK: a[i] = x;
// CHECK: b[i] = x;
// CHECK: a[i] = y;
// CHECK: d[i] = j;

// CL: float a[8];
// CL: float b[8];
// CL: float c[8];
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xf32>, index, i1, i32) -> ()}> ({
  ^bb0(%m: memref<?xf32>, %i: index, %p: i1, %j: i32):
    %x = memref.load %m[%i] : memref<?xf32>
    %y = arith.addf %x, %x : f32
    scf.if %p {
      %a = memref.alloca() : memref<8xf32, #gpu.address_space<private>>
      memref.store %x, %a[%i] : memref<8xf32, #gpu.address_space<private>>
      scf.if %p {
        %b = memref.alloca() : memref<8xf32, #gpu.address_space<private>>
        memref.store %x, %b[%i] : memref<8xf32, #gpu.address_space<private>>
      }
    }
    scf.if %p {
      %c = memref.alloca() : memref<8xf32, #gpu.address_space<private>>
      memref.store %y, %c[%i] : memref<8xf32, #gpu.address_space<private>>
      %d = memref.alloca() : memref<8xi32, #gpu.address_space<private>>
      memref.store %j, %d[%i] : memref<8xi32, #gpu.address_space<private>>
    }
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
