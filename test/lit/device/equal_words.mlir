// RUN: hologram-opt %s -p convert-gpu-to-spirv | filecheck %s

// A vector of equal words is constructed, as one of any words is.

// CHECK: %x = spirv.CompositeExtract %v[1 : i32] : vector<4xi64>
// CHECK: spirv.CompositeConstruct %x, %x : (i64, i64) -> vector<2xi64>
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xvector<4xi64>>, memref<?xvector<2xi64>>, i32) -> (), known_block_size = array<i32: 1, 1, 1>, arg_attrs = [{hologram.access = "read"}, {hologram.access = "write"}, {}]}> ({
  ^bb0(%a: memref<?xvector<4xi64>>, %b: memref<?xvector<2xi64>>, %n: i32):
    %i = arith.index_cast %n : i32 to index
    %v = memref.load %a[%i] : memref<?xvector<4xi64>>
    %x = vector.extract %v[1] : i64 from vector<4xi64>
    %u = vector.broadcast %x : i64 to vector<2xi64>
    memref.store %u, %b[%i] : memref<?xvector<2xi64>>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
