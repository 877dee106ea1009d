// RUN: hologram-opt %s -p convert-to-llvm | filecheck %s

// A mask that is constant is what one of a constant number of lanes is.

func.func private @f() -> vector<4xi1> {
  %m = vector.constant_mask [3] : vector<4xi1>
  func.return %m : vector<4xi1>
}
// CHECK:     llvm.func {{.*}}@f() -> vector<4xi1>
// CHECK-NOT: vector.constant_mask
// CHECK:     llvm.icmp "slt"
