// RUN: hologram-opt %s -p expand-wide-integers{vector-bytes=32} | filecheck %s

// A kernel's functions stand in its gpu.module, and its sums are not for this machine's vectors; the host's are.

// CHECK: gpu.module
// CHECK: func.func private @hologram_divide_2
// CHECK: gpu.func @k
// CHECK: func.call @hologram_divide_2
// CHECK: arith.addi %{{.*}}, %{{.*}} : i512
// CHECK: func.func @host
// CHECK: func.call @hologram_divide_2
// CHECK: llvm.bitcast %y : i512 to vector<8xi64>
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xi128>, memref<?xi512>, index) -> ()}> ({
  ^bb0(%a: memref<?xi128>, %b: memref<?xi512>, %i: index):
    %x = memref.load %a[%i] : memref<?xi128>
    %q = arith.divui %x, %x : i128
    memref.store %q, %a[%i] : memref<?xi128>
    %y = memref.load %b[%i] : memref<?xi512>
    %s = arith.addi %y, %y : i512
    memref.store %s, %b[%i] : memref<?xi512>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
func.func @host(%x: i128, %y: i512) -> (i128, i512) {
  %q = arith.divui %x, %x : i128
  %s = arith.addi %y, %y : i512
  func.return %q, %s : i128, i512
}
