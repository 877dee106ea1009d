// RUN: hologram-opt %s -p 'convert-gpu-to-spirv{rough-roots=true}' | filecheck %s
// RUN: hologram-opt %s -p 'convert-gpu-to-spirv{float-controls=DenormPreserve:32}' | filecheck %s --check-prefix KEPT

// A device may find a subnormal number equal to zero and then pass it on: where a comparison chooses its operand, bits
// decide. They need not where the device keeps such numbers. Roots that are rough take a step of Newton's method.

"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xf32>) -> (), known_block_size = array<i32: 64, 1, 1>, arg_attrs = [{hologram.access = "readwrite"}]}> ({
  ^bb0(%a: memref<?xf32>):
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %x = memref.load %a[%c0] : memref<?xf32>
    %less = arith.cmpf olt, %x, %zero : f32
    %relu = arith.select %less, %zero, %x : f32
    %s = arith.minnumf %relu, %x : f32
    %t = math.trunc %s : f32
    %other = arith.cmpf olt, %t, %zero : f32
    %u = arith.select %other, %one, %s : f32
    %r = math.sqrt %u : f32
    memref.store %r, %a[%c0] : memref<?xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel, workgroup_attributions = 0 : i64} : () -> ()
}) : () -> ()

// The side of zero by bits, the lesser by integers that order floats, towards zero by the magnitude; a comparison that
// chooses something else is the device's.
// CHECK: %[[X:[0-9a-z_]+]] = spirv.Load
// CHECK: %[[BITS:[0-9]+]] = spirv.Bitcast %[[X]] : f32 to i32
// CHECK: spirv.ISub %[[BITS]]
// CHECK: spirv.ULessThan
// CHECK: spirv.ShiftRightArithmetic
// CHECK: spirv.SLessThan
// CHECK-NOT: spirv.FOrd
// CHECK: spirv.GL.FAbs
// CHECK: spirv.GL.Floor
// CHECK: spirv.FOrdLessThan %t, %zero
// CHECK: %[[ROOT:[0-9]+]] = spirv.GL.Sqrt
// CHECK: %[[REST:[0-9]+]] = spirv.GL.Fma %{{[0-9]+}}, %[[ROOT]]
// CHECK: spirv.GL.Fma %[[REST]]

// KEPT: spirv.FOrdLessThan %x, %zero
// KEPT: spirv.FOrdLessThan
// KEPT: spirv.GL.Sqrt
// KEPT-NOT: spirv.GL.Fma
