// RUN: hologram-opt %s -t wgsl | filecheck %s
// RUN: hologram-opt %s -t opencl-c | filecheck %s --check-prefix CL

// WGSL has no elements of a byte: a store changes its own bits of a word, atomically, so that no other store is lost.

// CHECK: var<storage, read_write> a: array<atomic<u32>>;
// CHECK: let x = (atomicLoad(&a[i / 4u]) >> (i % 4u * 8u)) & 0xffu;
// CHECK: let y = (x + x) & 0xffu;
// CHECK: let z = (bitcast<u32>((bitcast<i32>(y << 24u) >> 24u) >> x)) & 0xffu;
// CHECK: atomicXor(&a[i / 4u], ((((atomicLoad(&a[i / 4u]) >> (i % 4u * 8u)) ^ z) & 0xffu) << (i % 4u * 8u)));

// CL: const uchar x = a[i];
// CL: const uchar y = (uchar)((uint)x + x);
// CL: const uchar z = (uchar)((char)y >> x);
// CL: a[i] = z;
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xi8>, index) -> ()}> ({
  ^bb0(%a: memref<?xi8>, %i: index):
    %x = memref.load %a[%i] : memref<?xi8>
    %y = arith.addi %x, %x : i8
    %z = arith.shrsi %y, %x : i8
    memref.store %z, %a[%i] : memref<?xi8>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
