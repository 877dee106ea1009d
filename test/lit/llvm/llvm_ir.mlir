// RUN: hologram-opt %s -t llvm-ir | filecheck %s

// Values keep their names, block arguments become phis, and two ways to one block get a block between.

// CHECK:      @table = internal constant [2 x float] [float 1.0, float 0x7FF8000000000000]
llvm.mlir.global internal constant @table(dense<"0x0000803F0000C07F"> : tensor<2xf32>) : !llvm.array<2 x f32>

// CHECK:      define float @pick(i1 %c, float %x) #1 #0 {
// CHECK-NEXT: entry:
// CHECK-NEXT:   %first = load float, ptr @table, align 4, !nontemporal !0
// CHECK-NEXT:   br i1 %c, label %bb, label %entry_to_bb
// CHECK:      entry_to_bb:
// CHECK-NEXT:   br label %bb
// CHECK:      bb:
// CHECK-NEXT:   %y = phi float [ %first, %entry ], [ %x, %entry_to_bb ]
// CHECK-NEXT:   %r = call nnan float @llvm.maximum.f32(float %y, float 2.5)
// CHECK-NEXT:   ret float %r
llvm.func @pick(%c: i1, %x: f32) -> f32 attributes {passthrough = ["nounwind"]} {
  %table = llvm.mlir.addressof @table : !llvm.ptr
  %k = llvm.mlir.constant(2.5 : f32) : f32
  %first = llvm.load %table {alignment = 4 : i64, nontemporal} : !llvm.ptr -> f32
  llvm.cond_br %c, ^end(%first : f32), ^end(%x : f32)
^end(%y: f32):
  %r = llvm.intr.maximum(%y, %k) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32) -> f32
  llvm.return %r : f32
}
// CHECK:      attributes #0 = { nounwind }
// CHECK:      !0 = !{i32 1}
// CHECK:      attributes #1 = { "target-cpu"=
