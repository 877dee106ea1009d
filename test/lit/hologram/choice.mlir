// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Comparisons, selection, conversion.

func.func @f(%x: tensor<?xf32>, %y: tensor<4xf32>, %i: tensor<?xi64>) {
  %p = hologram.compare lt %x, %x : tensor<?xf32>
  %q = hologram.compare geu %i, %i : tensor<?xi64>
  %u = hologram.compare ge unsigned %i, %i : tensor<?xi64>
  %r = hologram.select %p, %x, %x : tensor<?xf32>
  %c = hologram.cast %x : tensor<?xf32> to tensor<?xi64>
  %d = hologram.cast unsigned %i : tensor<?xi64> to tensor<?xf32>
  %e = hologram.cast unsigned to_unsigned %i : tensor<?xi64> to tensor<?xi8>
  %b = hologram.bitcast %y : tensor<4xf32> to tensor<4xi32>
  %m = hologram.compare eq %x, %y : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xi1>
  func.return
}

// CHECK-LABEL: func.func @f(%x: tensor<?xf32>, %y: tensor<4xf32>, %i: tensor<?xi64>) {
// CHECK-NEXT:    %p = hologram.compare lt %x, %x : tensor<?xf32>
// CHECK-NEXT:    %q = hologram.compare geu %i, %i : tensor<?xi64>
// CHECK-NEXT:    %u = hologram.compare ge unsigned %i, %i : tensor<?xi64>
// CHECK-NEXT:    %r = hologram.select %p, %x, %x : tensor<?xf32>
// CHECK-NEXT:    %c = hologram.cast %x : tensor<?xf32> to tensor<?xi64>
// CHECK-NEXT:    %d = hologram.cast unsigned %i : tensor<?xi64> to tensor<?xf32>
// CHECK-NEXT:    %e = hologram.cast unsigned to_unsigned %i : tensor<?xi64> to tensor<?xi8>
// CHECK-NEXT:    %b = hologram.bitcast %y : tensor<4xf32> to tensor<4xi32>
// CHECK-NEXT:    %m = hologram.compare eq %x, %y : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
