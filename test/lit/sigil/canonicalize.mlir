// RUN: hologram-opt %s -p canonicalize | filecheck %s

// What keeps every reading: own transforms are carried out, chains join, an outermost R+0 goes; an inner one has words.

sigil.circuit @main {
  sigil.mark "c21^R+1~@3"
  sigil.merge mul "c00^T+1[c01~,c08~]"
  sigil.transform "R+0" {
    sigil.quote "c[1..2]"
    sigil.transform "R+1" {
      sigil.transform "R+0" {
        sigil.evaluate "c00"
      }
    }
  }
}

// CHECK:      sigil.circuit @main {
// CHECK-NEXT:   sigil.mark "c37@3"
// CHECK-NEXT:   sigil.merge mul "c01[c01,c16]"
// CHECK-NEXT:   sigil.quote "c[1..2]"
// CHECK-NEXT:   sigil.transform "R+1", "R+0" {
// CHECK-NEXT:     sigil.evaluate "c00"
// CHECK-NEXT:   }
// CHECK-NEXT: }
