// RUN: hologram-opt %s -p vectorize-lookups,canonicalize | filecheck %s
// RUN: hologram-opt %s -p vectorize-lookups,flatten-kernels,canonicalize -t opencl-c | filecheck %s --check-prefix CL

// A loop whose lanes look a row of sixteen up; other loops stay as they are.

"gpu.module"() <{sym_name = "m"}> ({
  "memref.global"() <{sym_name = "t", type = memref<1x16xf32>, initial_value = dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]]> : tensor<1x16xf32>, sym_visibility = "private", constant}> : () -> ()
  "gpu.func"() <{function_type = (memref<?xf32>, memref<?xf32>, f32, index) -> ()}> ({
  ^bb0(%a: memref<?xf32>, %out: memref<?xf32>, %f: f32, %n: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c15 = arith.constant 15 : i32
    %zero = arith.constant 0.0 : f32
    %negative = arith.constant -0.0 : f32
    %t = memref.get_global @t : memref<1x16xf32>
    // CHECK: scf.for %[[I:.*]] = %c0 to %{{.*}} step %{{.*}} {
    // CHECK: %x = vector.load %a[%[[I]]] : memref<?xf32>, vector<16xf32>
    // CHECK: %bits = arith.bitcast %x : vector<16xf32> to vector<16xi32>
    // CHECK: %y = llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%{{.*}}, %bits)
    // CHECK: arith.mulf %y, %{{.*}} : vector<16xf32>
    // CHECK: vector.store %s, %out[%[[I]]] : memref<?xf32>, vector<16xf32>
    // CHECK: scf.for
    // CHECK: memref.load %t[%{{.*}}, %{{.*}}] : memref<1x16xf32>
    // CL: float16 looked_up(float16 row, uint16 n)
    // CL: const float16 x = vload16(0, a + i);
    // CL: const uint16 bits = as_uint16(x);
    // CL: const float16 y = looked_up((float16)(0.0f, 1.0f, {{.*}}, 15.0f), bits);
    // CL: const float16 [[F:.*]] = (float16)(f);
    // CL: const float16 z = y * [[F]];
    // CL: const int16 low = x < (float16)(0.0f);
    // CL: const float16 s = (as_uint16(x) - (uint16)(0x80000001u) < (uint16)(0x7f800000u)) ? (float16)((-0.0f)) : z;
    // CL: vstore16(s, 0, out + i);
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.load %a[%i] : memref<?xf32>
      %bits = arith.bitcast %x : f32 to i32
      %lowest = arith.andi %bits, %c15 : i32
      %place = arith.index_castui %lowest : i32 to index
      %y = memref.load %t[%c0, %place] : memref<1x16xf32>
      %z = arith.mulf %y, %f : f32
      %low = arith.cmpf olt, %x, %zero : f32
      %s = arith.select %low, %negative, %z : f32
      memref.store %s, %out[%i] : memref<?xf32>
    } {hologram.vectorize}
    // Nothing is known of its places.
    // CHECK: memref.load %a[%[[J:.*]]] : memref<?xf32>
    // CHECK: memref.load %t[%{{.*}}, %{{.*}}] : memref<1x16xf32>
    scf.for %j = %c0 to %n step %c1 {
      %x = memref.load %a[%j] : memref<?xf32>
      %bits = arith.bitcast %x : f32 to i32
      %place = arith.index_castui %bits : i32 to index
      %y = memref.load %t[%c0, %place] : memref<1x16xf32>
      memref.store %y, %out[%j] : memref<?xf32>
    } {hologram.vectorize}
    // It looks nothing up.
    // CHECK-NOT: vector.load
    scf.for %k = %c0 to %n step %c1 {
      %x = memref.load %a[%k] : memref<?xf32>
      %y = arith.addf %x, %f : f32
      memref.store %y, %out[%k] : memref<?xf32>
    } {hologram.vectorize}
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
