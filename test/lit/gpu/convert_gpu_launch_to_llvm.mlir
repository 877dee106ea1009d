// RUN: hologram-opt %s -p convert-gpu-launch-to-llvm,canonicalize,cse | filecheck %s

// A buffer that a kernel fills: the host asks for it, passes its address, and gives it back.

"gpu.binary"() <{sym_name = "m", objects = [#gpu.object<"text", assembly = "code">]}> {hologram.device = "paper", hologram.format = "text", hologram.target = "", hologram.kernels = "[{\22name\22:\22k\22,\22block\22:null,\22shared\22:0,\22arguments\22:[{\22kind\22:\22buffer\22,\22dtype\22:\22f32\22,\22access\22:\22write\22,\22role\22:null},{\22kind\22:\22buffer\22,\22dtype\22:\22f32\22,\22access\22:\22read\22,\22role\22:null},{\22kind\22:\22scalar\22,\22dtype\22:\22i1\22}]}]"} : () -> ()
func.func @f(%a: memref<?xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  "gpu.launch_func"(%n, %c1, %c1, %c1, %c1, %c1, %t, %a, %c) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 3, 0>}> : (index, index, index, index, index, index, memref<?xf32>, memref<?xf32>, i1) -> ()
  memref.dealloc %t : memref<?xf32>
  func.return
}

// CHECK:       hologram.device = "{\22kind\22:\22paper\22,\22format\22:\22text\22,\22target\22:\22\22,\22bytes\22:4,
// CHECK:       func.func @f(%a: memref<?xf32> {hologram.access = "read"}
// CHECK:         %[[ARGUMENTS:.*]] = llvm.alloca %{{.*}} x !llvm.array<3 x ptr>
// CHECK:         %[[ADDRESS:.*]] = llvm.call @hologram_device_alloc(%{{.*}}, %{{.*}})
// CHECK:         llvm.store %{{.*}} : i64, !llvm.ptr
// CHECK:         arith.extui %c : i1 to i8
// CHECK:         llvm.call @hologram_device_launch(
// CHECK-SAME:    %[[ARGUMENTS]])
// CHECK:         llvm.call @hologram_device_free(
// CHECK:       llvm.mlir.global external constant @hologram_device_code("code\00") {alignment = 16 : i64}
// CHECK:       llvm.mlir.global external @hologram_device_context(0 : i64) : i64
// CHECK:       llvm.func @hologram_device_copy(i64, i64, i64, i64)
