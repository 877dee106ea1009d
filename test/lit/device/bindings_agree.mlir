// What one kernel of a module writes at a binding is not called unwritten in another one.
// RUN: hologram-opt %s -p convert-gpu-to-spirv | filecheck %s

// CHECK: @one_0{{.*}} {restrict}
// CHECK: @one_1{{.*}} {non_writable, restrict}
// CHECK: @two_0{{.*}} {restrict}
// CHECK: @two_1{{.*}} {non_writable, restrict}
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?xf32>, memref<?xf32>) -> (), known_block_size = array<i32: 1, 1, 1>, arg_attrs = [{hologram.access = "read"}, {hologram.access = "read"}]}> ({
  ^bb0(%0: memref<?xf32>, %1: memref<?xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "one", gpu.kernel} : () -> ()
  "gpu.func"() <{function_type = (memref<?xf32>, memref<?xf32>) -> (), known_block_size = array<i32: 1, 1, 1>, arg_attrs = [{hologram.access = "write"}, {hologram.access = "read"}]}> ({
  ^bb0(%0: memref<?xf32>, %1: memref<?xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "two", gpu.kernel} : () -> ()
}) : () -> ()
