// RUN: hologram-opt %s -p convert-narrow-floats-to-i16 | filecheck %s

// Numbers of 16 bits are moved as integers: in memory, in constants, in vectors, through blocks and functions.
llvm.func @f(%p: !llvm.ptr, %c: i1, %x: bf16) -> i16 {
  %one = llvm.mlir.constant(1.0 : f16) : f16
  %v = llvm.load %p : !llvm.ptr -> vector<4xbf16>
  llvm.store %v, %p : vector<4xbf16>, !llvm.ptr
  llvm.store %one, %p : f16, !llvm.ptr
  llvm.cond_br %c, ^bb1(%x : bf16), ^bb2
^bb1(%y: bf16):
  %r = llvm.bitcast %y : bf16 to i16
  llvm.return %r : i16
^bb2:
  %minus = llvm.mlir.constant(-2.0 : bf16) : bf16
  llvm.br ^bb1(%minus : bf16)
}
// CHECK:      llvm.func @f(%p: !llvm.ptr, %c: i1, %x: i16) -> i16 {
// CHECK-NEXT:   llvm.mlir.constant(15360 : i16) : i16
// CHECK-NEXT:   %v = llvm.load %p : !llvm.ptr -> vector<4xi16>
// CHECK:      ^bb1(%y: i16):
// CHECK-NEXT:   llvm.return %y : i16
// CHECK:        llvm.mlir.constant(-16384 : i16) : i16
