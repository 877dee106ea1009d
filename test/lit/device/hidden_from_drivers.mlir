// RUN: hologram-opt %s -p expand-narrow-floats -t wgsl | filecheck %s

// What NVIDIA's drivers get wrong: the rounding error of a product is 0 to them, and a subnormal bf16 equals 0 as an f32.
// Mesa's take x * y - y * y - x for x * y - (y * y + x).

// CHECK: let p = x * y;
// CHECK: let n = -p;
// CHECK: let e = fma(bitcast<f32>((bitcast<u32>(x) ^ hidden)), y, n);
// CHECK: let o = fma(x, x, n);
// CHECK: let d = p - q;
// CHECK-NEXT: let g = bitcast<f32>((bitcast<u32>(d) ^ hidden)) - x;
// CHECK: < 0x7f800000u;
// CHECK-NEXT: let r = select(b, 0u,
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xf32>, memref<?xbf16>, index) -> ()}> ({
  ^bb0(%a: memref<?xf32>, %c: memref<?xbf16>, %i: index):
    %x = memref.load %a[%i] : memref<?xf32>
    %j = arith.addi %i, %i : index
    %y = memref.load %a[%j] : memref<?xf32>
    %p = arith.mulf %x, %y : f32
    %n = arith.negf %p : f32
    %e = math.fma %x, %y, %n : f32
    %o = math.fma %x, %x, %n : f32
    %s = arith.addf %e, %o : f32
    memref.store %s, %a[%i] : memref<?xf32>
    %q = arith.mulf %y, %y : f32
    %d = arith.subf %p, %q : f32
    %g = arith.subf %d, %x : f32
    memref.store %g, %a[%j] : memref<?xf32>
    %b = memref.load %c[%i] : memref<?xbf16>
    %z = arith.constant 0.0 : bf16
    %l = arith.cmpf olt, %b, %z : bf16
    %r = arith.select %l, %z, %b : bf16
    memref.store %r, %c[%i] : memref<?xbf16>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
