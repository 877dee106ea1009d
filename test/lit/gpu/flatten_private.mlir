// RUN: hologram-opt %s -p flatten-kernels,cse | filecheck %s

// A private array that a loop declares first of all, and a view of bytes as words.

"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?xi8>, index) -> ()}> ({
  ^bb0(%bytes: memref<?xi8>, %n: index):
    %a = memref.alloca() : memref<2x4xi32>
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %words = memref.view %bytes[%c8][%n] : memref<?xi8> to memref<?xi32>
    scf.for %i = %c1 to %n step %c1 {
      %b = memref.alloca() : memref<4xi32>
      %v = memref.load %words[%i] : memref<?xi32>
      memref.store %v, %b[%c1] : memref<4xi32>
      memref.store %v, %a[%c1, %c1] : memref<2x4xi32>
    }
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()

// CHECK:       hologram.kernels = "[{\22name\22:\22k\22,\22block\22:null,\22shared\22:0,\22arguments\22:[{\22kind\22:\22buffer\22,\22dtype\22:\22i32\22,\22access\22:\22read\22,\22role\22:null},{\22kind\22:\22scalar\22,\22dtype\22:\22index\22}]}]"
// CHECK-NEXT:  gpu.func @k(%bytes: memref<?xi32> {hologram.access = "read"}, %n: index)
// CHECK-NEXT:    %a = memref.alloca() : memref<8xi32, #gpu.address_space<private>>
// CHECK-NEXT:    %b = memref.alloca() : memref<4xi32, #gpu.address_space<private>>
// CHECK:         scf.for %i
// CHECK:           %[[WORD:.*]] = arith.addi %{{.*}}, %i
// CHECK:           memref.load %bytes[%[[WORD]]] : memref<?xi32>
// CHECK:           memref.store %v, %b[%c1]
// CHECK:           memref.store %v, %a[%{{.*}}] : memref<8xi32, #gpu.address_space<private>>
