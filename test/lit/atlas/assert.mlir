// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// A check that traps, with and without the lane and values.

func.func @f(%p: i1, %n: index, %i: i64) {
  atlas.assert %p, "never"
  atlas.assert %p, "out of range" lane %n values(%i, %n : i64, index)
  func.return
}

// CHECK-LABEL: func.func @f(%p: i1, %n: index, %i: i64) {
// CHECK-NEXT:    atlas.assert %p, "never"
// CHECK-NEXT:    atlas.assert %p, "out of range" lane %n values(%i, %n : i64, index)
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
