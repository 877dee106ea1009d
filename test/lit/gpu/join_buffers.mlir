// RUN: hologram-opt %s -p 'join-buffers{most=4}' | filecheck %s

// Of six buffers three are joined beside those that can't be: the trap record, and what 64-bit atomics work on.

"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?xi64>, memref<?xf32>, memref<?xi8>, memref<?xf32>, memref<?xi64>, memref<8xi64>) -> (), arg_attrs = [{}, {}, {}, {}, {}, {hologram.trap}]}> ({
  ^bb0(%sum: memref<?xi64>, %a: memref<?xf32>, %b: memref<?xi8>, %c: memref<?xf32>, %d: memref<?xi64>, %trap: memref<8xi64>):
    %i = arith.constant 0 : index
    %v = memref.load %d[%i] : memref<?xi64>
    %old = "memref.atomic_rmw"(%v, %sum, %i) <{kind = 1 : i64}> : (i64, memref<?xi64>, index) -> i64
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
  "gpu.func"() <{function_type = (memref<?xf32>) -> ()}> ({
  ^bb0(%a: memref<?xf32>):
    "gpu.return"() : () -> ()
  }) {sym_name = "few", gpu.kernel} : () -> ()
}) {hologram.kernels = "[{\"name\":\"k\",\"arguments\":[{\"kind\":\"buffer\"},{\"kind\":\"buffer\"},{\"kind\":\"buffer\"},{\"kind\":\"buffer\"},{\"kind\":\"buffer\"},{\"kind\":\"buffer\"}]},{\"name\":\"few\",\"arguments\":[{\"kind\":\"buffer\"}]}]"} : () -> ()

// CHECK:      hologram.kernels = "[{\22name\22:\22k\22,\22arguments\22:[{\22kind\22:\22buffer\22},{\22kind\22:\22buffer\22},{\22kind\22:\22buffer\22,\22joined\22:true},{\22kind\22:\22buffer\22,\22joined\22:true},{\22kind\22:\22buffer\22,\22joined\22:true},{\22kind\22:\22buffer\22}]},{\22name\22:\22few\22,\22arguments\22:[{\22kind\22:\22buffer\22}]}]"
// CHECK-NEXT: gpu.func @k(%sum: memref<?xi64>, %a: memref<?xf32>, %b: memref<?xi8> {hologram.joined},
// CHECK-SAME: %c: memref<?xf32> {hologram.joined}, %d: memref<?xi64> {hologram.joined}, %trap: memref<8xi64> {hologram.trap})
// CHECK:      gpu.func @few(%a: memref<?xf32>) kernel {
