// RUN: hologram-opt %s -p convert-gpu-launch-to-llvm | filecheck %s

// What is cast for a kernel is one argument, and is passed as it is: %n as an i64, and %b is the third of three.

"gpu.binary"() <{sym_name = "m", objects = [#gpu.object<"text", assembly = "code">]}> {hologram.device = "paper", hologram.format = "text", hologram.target = "", hologram.kernels = "[{\22name\22:\22k\22,\22block\22:null,\22shared\22:0,\22arguments\22:[{\22kind\22:\22buffer\22,\22dtype\22:\22i128\22,\22access\22:\22write\22,\22role\22:null},{\22kind\22:\22scalar\22,\22dtype\22:\22i64\22},{\22kind\22:\22buffer\22,\22dtype\22:\22f32\22,\22access\22:\22read\22,\22role\22:null}]}]"} : () -> ()
func.func @f(%a: memref<?xi128>, %n: i64, %b: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %0 = builtin.unrealized_conversion_cast %a : memref<?xi128> to memref<?xi32>
  %1, %2 = builtin.unrealized_conversion_cast %n : i64 to i32, i32
  %3 = builtin.unrealized_conversion_cast %b : memref<?xf32> to memref<?xvector<4xi64>>
  "gpu.launch_func"(%c1, %c1, %c1, %c1, %c1, %c1, %0, %1, %2, %3) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 4, 0>}> : (index, index, index, index, index, index, memref<?xi32>, i32, i32, memref<?xvector<4xi64>>) -> ()
  func.return
}

// CHECK:     func.func @f(%a: memref<?xi128> {hologram.access = "write"}, %n: i64, %b: memref<?xf32> {hologram.access = "read"})
// CHECK:     llvm.alloca %{{.*}} x !llvm.array<3 x ptr>
// CHECK-NOT: unrealized_conversion_cast
// CHECK:     memref.extract_aligned_pointer_as_index %a
// CHECK:     llvm.store %n, %{{.*}} : i64, !llvm.ptr
// CHECK:     memref.extract_aligned_pointer_as_index %b
// CHECK:     llvm.call @hologram_device_launch(
