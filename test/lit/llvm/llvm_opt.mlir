// RUN: hologram-opt %s -t llvm-opt | filecheck %s
// RUN: hologram-opt %s -t asm | filecheck %s --check-prefix=ASM
// RUN: hologram-opt %s -t 'llvm-opt{level=0}' | filecheck %s --check-prefix=PLAIN

// The optimiser runs for this machine, and assembly comes from what it made.

// CHECK: target triple
// CHECK: define {{.*}}i32 @f(i32 {{.*}}%x)
// CHECK-NOT: call
// CHECK: ret i32
// PLAIN: call i32 @g(i32 %x)
// ASM: {{^_?f:}}
llvm.func internal @g(%x: i32) -> i32 {
  %y = llvm.mul %x, %x : i32
  llvm.return %y : i32
}

llvm.func @f(%x: i32) -> i32 {
  %y = llvm.call @g(%x) : (i32) -> i32
  llvm.return %y : i32
}
