// RUN: hologram-opt %s -p canonicalize,cse | filecheck %s

// An integer division may trap, a gather too: neither is dead code. A float division goes.

func.func @f(%x: tensor<2xi32>, %y: tensor<2xf32>) {
  %a = hologram.div %x, %x : tensor<2xi32>
  %b = hologram.rem unsigned %x, %x : tensor<2xi32>
  %c = hologram.gather %y, %x {axis = 0 : i64} : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  %d = hologram.div %y, %y : tensor<2xf32>
  func.return
}

// CHECK-LABEL: func.func @f(%x: tensor<2xi32>, %y: tensor<2xf32>) {
// CHECK-NEXT:    %a = hologram.div %x, %x : tensor<2xi32>
// CHECK-NEXT:    %b = hologram.rem unsigned %x, %x : tensor<2xi32>
// CHECK-NEXT:    %c = hologram.gather %y, %x {axis = 0 : i64} : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
