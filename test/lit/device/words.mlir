// RUN: hologram-opt %s -t 'wgsl{features=i64}' | filecheck %s

// Vectors of words are loaded and stored as such.

// CHECK: @group(0) @binding(0) var<storage, read> a: array<vec4<u64>>;
// CHECK: @group(0) @binding(1) var<storage, read_write> b: array<vec2<u64>>;
// CHECK: let v = a[i];
// CHECK-NEXT: let x = v[1];
// CHECK-NEXT: let y = v[3];
// CHECK-NEXT: let w = vec2<u64>(y, x);
// CHECK-NEXT: b[i] = w;
// CHECK-NEXT: let u = vec2<u64>(x, x);
// CHECK-NEXT: b[i] = u;
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xvector<4xi64>>, memref<?xvector<2xi64>>, index) -> (), arg_attrs = [{hologram.access = "read"}, {hologram.access = "write"}, {}]}> ({
  ^bb0(%a: memref<?xvector<4xi64>>, %b: memref<?xvector<2xi64>>, %i: index):
    %v = memref.load %a[%i] : memref<?xvector<4xi64>>
    %x = vector.extract %v[1] : i64 from vector<4xi64>
    %y = vector.extract %v[3] : i64 from vector<4xi64>
    %w = vector.from_elements %y, %x : vector<2xi64>
    memref.store %w, %b[%i] : memref<?xvector<2xi64>>
    %u = vector.broadcast %x : i64 to vector<2xi64>
    memref.store %u, %b[%i] : memref<?xvector<2xi64>>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
