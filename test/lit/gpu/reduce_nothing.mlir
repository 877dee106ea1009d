// RUN: hologram-opt %s -p "hologram-to-vulkan{to=flat}" | filecheck %s
// RUN: hologram-opt %s -p "hologram-to-vulkan{to=flat schedule=lanes}" | filecheck %s --check-prefix LANES

// Columns without elements are one part, which leaves nothing in memory to be combined: the launch stores the identity.

// CHECK-NOT: memref.alloc(
// CHECK:     gpu.launch_func
// CHECK-NOT: gpu.launch_func
// CHECK:     gpu.module
// LANES-NOT: memref.alloc(
func.func @f(%x: tensor<0x64xf32>) -> tensor<64xf32> {
  %r = hologram.reduce sum %x {axes = [0 : i64]} : tensor<0x64xf32> to tensor<64xf32>
  func.return %r : tensor<64xf32>
}
