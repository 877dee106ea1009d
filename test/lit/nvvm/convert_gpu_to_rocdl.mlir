// RUN: hologram-opt %s -p convert-gpu-to-rocdl | filecheck %s

// Positions begin at 0 and sizes at 1, up to the most of each, which the end of the range is one behind.

"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?xindex>) -> (), arg_attrs = [{hologram.access = "write"}]}> ({
  ^bb0(%x: memref<?xindex>):
    %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %b = "gpu.block_id"() <{dimension = #gpu<dim y>}> : () -> index
    %d = "gpu.block_dim"() <{dimension = #gpu<dim z>}> : () -> index
    %g = "gpu.grid_dim"() <{dimension = #gpu<dim x>}> : () -> index
    memref.store %b, %x[%t] : memref<?xindex>
    memref.store %d, %x[%g] : memref<?xindex>
    "gpu.return"() : () -> ()
  }) {gpu.kernel, sym_name = "k", workgroup_attributions = 0 : i64} : () -> ()
}) : () -> ()

// CHECK: llvm.func @k(%x: !llvm.ptr<1> {{.*}}) attributes {gpu.kernel, rocdl.kernel}
// CHECK: rocdl.workitem.id.x range <i32, 0, 1024> : i32
// CHECK: rocdl.workgroup.id.y range <i32, 0, 2147483647> : i32
// CHECK: rocdl.workgroup.dim.z range <i32, 1, 1025> : i32
// CHECK: rocdl.grid.dim.x range <i32, 1, 2147483648> : i32
