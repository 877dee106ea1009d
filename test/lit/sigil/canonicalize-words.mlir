// RUN: hologram-opt %s -p canonicalize-sigil-words | filecheck %s

// c X c X = e, in each branch by itself; S S = Z after the transform; pages that differ do not meet.

sigil.circuit @main {
  sigil.par {
    sigil.copy "c05->c06"
    sigil.mark "c21"
    sigil.copy "c05->c06"
    sigil.mark "c21"
  }, {
    sigil.transform "T+7" {
      sigil.mark "c00"
      sigil.mark "c00"
    }
    sigil.mark "c42@1"
  }
}

// CHECK:      sigil.par {
// CHECK-NEXT:   sigil.mark "c00"
// CHECK-NEXT: }, {
// CHECK-NEXT:   sigil.mark "c42"
// CHECK-NEXT:   sigil.mark "c42@1"
// CHECK-NEXT: }
