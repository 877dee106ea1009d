// RUN: hologram-opt %s -p convert-gpu-to-nvvm | filecheck %s

// A kernel becomes a function of bare pointers; shared memory a global; a lane that trapped ends.

"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?xf32>, memref<?xf32>, index, i1) -> (), known_block_size = array<i32: 64, 1, 1>, arg_attrs = [{hologram.access = "read"}, {hologram.access = "readwrite"}, {}, {}]}> ({
  ^bb0(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %b: i1, %s: memref<64xf32, #gpu.address_space<workgroup>>):
    %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %i = "gpu.global_id"() <{dimension = #gpu<dim x>}> : () -> index
    %ok = arith.cmpi ult, %i, %n : index
    cf.assert %ok, "out of range"
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    "gpu.barrier"() : () -> ()
    %old = "memref.atomic_rmw"(%v, %y, %i) <{kind = 0 : i64}> : (f32, memref<?xf32>, index) -> f32
    %of = "memref.atomic_rmw"(%v, %s, %t) <{kind = 0 : i64}> : (f32, memref<64xf32, #gpu.address_space<workgroup>>, index) -> f32
    "gpu.return"() : () -> ()
  }) {gpu.kernel, sym_name = "k", workgroup_attributions = 1 : i64} : () -> ()
}) : () -> ()

// CHECK:       llvm.mlir.global internal @k_shared_0() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x f32>
// CHECK:       llvm.func @k(%x: !llvm.ptr<1> {{.*}}llvm.readonly{{.*}}, %y: !llvm.ptr<1> {{.*}}, %n: i64, %b: i8)
// CHECK-SAME:  attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>}
// CHECK:         llvm.icmp "ne" %b
// CHECK:         %[[T:.*]] = nvvm.read.ptx.sreg.tid.x range <i32, 0, 64> : i32
// CHECK-NEXT:    %t = llvm.zext nneg %[[T]] : i32 to i64
// CHECK:         llvm.cond_br %ok, ^[[ON:.*]], ^[[FAIL:.*]]
// CHECK:         nvvm.barrier0
// CHECK:         llvm.fadd
// CHECK:         llvm.cmpxchg {{.*}} syncscope("device") monotonic monotonic : !llvm.ptr, i32
// CHECK:         llvm.atomicrmw fadd {{.*}} syncscope("device") monotonic : !llvm.ptr<3>, f32
// CHECK:         llvm.return
// CHECK-NEXT:  ^[[FAIL]]:
// CHECK-NEXT:    llvm.return
