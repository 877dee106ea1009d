// RUN: hologram-opt %s -p canonicalize | filecheck %s

// Constants fold where every device gives the same bits and nothing traps; splats stay splats.

func.func @folds() -> (tensor<2xf32>, tensor<9x9xi32>) {
  %x = hologram.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %y = hologram.constant dense<0.0> : tensor<2xf32>
  %c = hologram.div %x, %y : tensor<2xf32>
  %k = hologram.constant dense<-7> : tensor<9x9xi32>
  %t = hologram.constant dense<2> : tensor<9x9xi32>
  %d = hologram.div %k, %t : tensor<9x9xi32>
  func.return %c, %d : tensor<2xf32>, tensor<9x9xi32>
}

// CHECK-LABEL: func.func @folds() -> (tensor<2xf32>, tensor<9x9xi32>) {
// CHECK-NEXT:    %c = hologram.constant dense<"0x0000807F000080FF"> : tensor<2xf32>
// CHECK-NEXT:    %d = hologram.constant dense<-3> : tensor<9x9xi32>
// CHECK-NEXT:    func.return %c, %d : tensor<2xf32>, tensor<9x9xi32>
// CHECK-NEXT:  }

func.func @stays() -> (tensor<2xi32>, tensor<2xf32>) {
  %x = hologram.constant dense<[1, 2]> : tensor<2xi32>
  %y = hologram.constant dense<[1, 0]> : tensor<2xi32>
  %c = hologram.div %x, %y : tensor<2xi32>
  %f = hologram.constant dense<1.0> : tensor<2xf32>
  %e = hologram.exp %f : tensor<2xf32>
  func.return %c, %e : tensor<2xi32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @stays() -> (tensor<2xi32>, tensor<2xf32>) {
// CHECK-NEXT:    %x = hologram.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT:    %y = hologram.constant dense<[1, 0]> : tensor<2xi32>
// CHECK-NEXT:    %c = hologram.div %x, %y : tensor<2xi32>
// CHECK-NEXT:    %f = hologram.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-NEXT:    %e = hologram.exp %f : tensor<2xf32>
// CHECK-NEXT:    func.return %c, %e : tensor<2xi32>, tensor<2xf32>
// CHECK-NEXT:  }
