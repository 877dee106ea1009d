// RUN: hologram-opt %s --mlir-print-debuginfo | filecheck %s

// Every operation knows where it was read, unless the text says it. mlir-opt puts aliases of locations last.

// CHECK: %c = arith.constant 1 : i32 loc({{.*}}locations.mlir":11:3)
// CHECK: %d = arith.constant 2 : i32 loc("other.py":3:4)
// CHECK: %e = arith.constant 3 : i32 loc("name"("other.py":3:4))
// CHECK: func.return loc({{.*}}locations.mlir":14:3)
// CHECK: loc({{.*}}locations.mlir":10:1)
func.func @f() {
  %c = arith.constant 1 : i32
  %d = arith.constant 2 : i32 loc("other.py":3:4)
  %e = arith.constant 3 : i32 loc(#loc1)
  func.return
}
#loc = loc("other.py":3:4)
#loc1 = loc("name"(#loc))
