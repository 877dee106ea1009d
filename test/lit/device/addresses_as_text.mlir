// RUN: hologram-opt %s -t opencl-c | filecheck %s

// Accesses at addresses: each says its space in its two highest bits where several are there.
// CHECK:      typedef uint uint_any __attribute__((may_alias));
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xi32>, i1) -> ()}> ({
  ^bb0(%a: memref<?xi32>, %c: i1, %s: memref<16xi8, #gpu.address_space<workgroup>>):
    // CHECK:      local uchar s[16] __attribute__((aligned(16)));
    // CHECK-NEXT: const ulong g = (ulong)a;
    %g = "memref.extract_aligned_pointer_as_index"(%a) : (memref<?xi32>) -> index
    // CHECK-NEXT: const ulong w = (ulong)s | 0x4000000000000000ul;
    %w = "memref.extract_aligned_pointer_as_index"(%s) : (memref<16xi8, #gpu.address_space<workgroup>>) -> index
    // CHECK-NEXT: const ulong n = (c != 0) ? g : w;
    %n = arith.select %c, %g, %w : index
    %i = arith.index_cast %n : index to i64
    %p = llvm.inttoptr %i : i64 to !llvm.ptr
    // CHECK-NEXT: uint v = 0u;
    // CHECK-NEXT: if (n >> 62 == 1ul) {
    // CHECK-NEXT:     v = *(local uint_any *)(n & 0x3ffffffffffffffful);
    // CHECK-NEXT: } else {
    // CHECK-NEXT:     v = *(global uint_any *)n;
    // CHECK-NEXT: }
    %v = llvm.load %p {alignment = 1 : i64} : !llvm.ptr -> i32
    // CHECK:      old = (uint)atomic_max((volatile local int *)&*(local uint_any *)(n & 0x3ffffffffffffffful), (int)v);
    // CHECK:      old = (uint)atomic_max((volatile global int *)&*(global uint_any *)n, (int)v);
    %old = llvm.atomicrmw max %p, %v monotonic : !llvm.ptr, i32
    // CHECK:      found = atomic_cmpxchg((volatile global uint *)&*(global uint_any *)n, v, old);
    // CHECK-NEXT: }
    %pair = llvm.cmpxchg %p, %v, %old monotonic monotonic : !llvm.ptr, i32
    // CHECK-NEXT: const bool done = found == v;
    %done = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    %kept = arith.select %done, %v, %old : i32
    // CHECK:      *(global uint_any *)n = kept;
    llvm.store %kept, %p {alignment = 1 : i64} : i32, !llvm.ptr
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel, workgroup_attributions = 1 : i64} : () -> ()
}) : () -> ()
