// RUN: hologram-opt %s | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt | filecheck %s
// RUN: hologram-opt %s --mlir-print-debuginfo | hologram-opt - | filecheck %s

// CHECK-LABEL: func.func @non_finite() -> tensor<4xf32> {
// CHECK-NEXT:    %c = arith.constant dense<"0x0000803F0000C07F0000807F000080FF"> : tensor<4xf32>
// CHECK-NEXT:    %splat = arith.constant dense<"0x000080FF"> : tensor<300xf32>
// CHECK-NEXT:    %half = arith.constant dense<"0x007E003C"> : vector<2xf16>
// CHECK-NEXT:    %scalar = arith.constant 0x7fc00000 : f32
// CHECK-NEXT:    %overflow = arith.constant 0x7f800000 : f32
func.func @non_finite() -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<4xf32>
  %splat = arith.constant dense<0xFF800000> : tensor<300xf32>
  %half = arith.constant dense<[0x7E00, 1.0]> : vector<2xf16>
  %scalar = arith.constant 0x7FC00000 : f32
  %overflow = arith.constant 3.4028236e38 : f32
  func.return %c : tensor<4xf32>
}
