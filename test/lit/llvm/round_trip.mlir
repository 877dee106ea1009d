// RUN: hologram-opt %s | hologram-opt | filecheck %s
// RUN: hologram-opt %s --mlir-print-op-generic | hologram-opt | filecheck %s

// What xDSL's own llvm dialect lacks or loses keeps its form, through custom and generic syntax.

// CHECK: llvm.func ptx_kernelcc @kernel(%p: !llvm.ptr<1> {llvm.noalias}, %s: !llvm.struct<packed (i8, array<2 x ptr>)>)
llvm.func ptx_kernelcc @kernel(%p: !llvm.ptr<1> {llvm.noalias}, %s: !llvm.struct<packed (i8, array<2 x ptr>)>) {
  %i = llvm.mlir.constant(3 : i32) : i32
  // CHECK: llvm.getelementptr inbounds|nuw %p[%i, 1]
  %q = llvm.getelementptr inbounds|nuw %p[%i, 1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x f32>
  // CHECK: llvm.load volatile %q atomic syncscope("agent") acquire {alignment = 4 : i64}
  %x = llvm.load volatile %q atomic syncscope("agent") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> f32
  // CHECK: llvm.atomicrmw fadd %q, %x syncscope("agent") monotonic : !llvm.ptr<1>, f32
  %old = llvm.atomicrmw fadd %q, %x syncscope("agent") monotonic : !llvm.ptr<1>, f32
  // CHECK: llvm.trunc %i overflow<nsw> : i32 to i8
  %t = llvm.trunc %i overflow<nsw> : i32 to i8
  // CHECK: llvm.switch %i : i32, ^[[A:.*]] [ 1: ^[[A]], -2: ^[[B:.*]](%x : f32) ]
  llvm.switch %i : i32, ^a [ 1: ^a, -2: ^b(%x : f32) ]
^a:
  // CHECK: llvm.br ^[[B]](%x : f32) {loop_annotation = #llvm.loop_annotation<unroll = {{.*}}<count = 4 : i32>>}
  llvm.br ^b(%x : f32) {loop_annotation = #llvm.loop_annotation<unroll = <count = 4 : i32>>}
^b(%y: f32):
  llvm.return
}

// CHECK: llvm.func @declared(!llvm.ptr {llvm.readonly}, ...) -> (i32 {llvm.zeroext})
llvm.func @declared(!llvm.ptr {llvm.readonly}, ...) -> (i32 {llvm.zeroext})
