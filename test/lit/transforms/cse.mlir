// RUN: hologram-opt %s -p cse | filecheck %s

// What dominates is known in other blocks and in regions; what stands in one branch is not known in the other. Loads
// are known until something may write; operands of sums may be exchanged.

func.func @blocks(%x: i32, %y: i32) -> i32 {
  %a = arith.addi %x, %y : i32
  %p = arith.cmpi slt, %a, %x : i32
  cf.cond_br %p, ^then, ^else
^then:
  %b = arith.addi %y, %x : i32
  %c = arith.subi %x, %y : i32
  %d = arith.muli %b, %c : i32
  cf.br ^end(%d : i32)
^else:
  %e = arith.subi %x, %y : i32
  %f = arith.subi %y, %x : i32
  %g = arith.muli %e, %f : i32
  cf.br ^end(%g : i32)
^end(%r: i32):
  %h = arith.addi %x, %y : i32
  %s = arith.muli %r, %h : i32
  func.return %s : i32
}

// CHECK-LABEL: func.func @blocks
// CHECK-NEXT:    %a = arith.addi %x, %y : i32
// CHECK-NEXT:    %p = arith.cmpi slt, %a, %x : i32
// CHECK:       ^then:
// CHECK-NEXT:    %c = arith.subi %x, %y : i32
// CHECK-NEXT:    %d = arith.muli %a, %c : i32
// CHECK:       ^else:
// CHECK-NEXT:    %e = arith.subi %x, %y : i32
// CHECK-NEXT:    %f = arith.subi %y, %x : i32
// CHECK:       ^end(%r: i32):
// CHECK-NEXT:    %s = arith.muli %r, %a : i32

func.func @loads(%m: memref<?xf32>, %i: index, %n: index) -> f32 {
  %a = memref.load %m[%i] : memref<?xf32>
  %b = memref.load %m[%i] : memref<?xf32>
  %s = arith.addf %a, %b : f32
  memref.store %s, %m[%n] : memref<?xf32>
  %c = memref.load %m[%i] : memref<?xf32>
  %t = arith.addf %s, %c : f32
  %unused = arith.mulf %t, %t : f32
  func.return %t : f32
}

// CHECK-LABEL: func.func @loads
// CHECK-NEXT:    %a = memref.load
// CHECK-NEXT:    %s = arith.addf %a, %a : f32
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    %c = memref.load
// CHECK-NEXT:    %t = arith.addf %s, %c : f32
// CHECK-NEXT:    func.return %t : f32

func.func @regions(%p: i1, %x: f32) -> f32 {
  %a = arith.mulf %x, %x : f32
  %r = scf.if %p -> (f32) {
    %b = arith.mulf %x, %x : f32
    scf.yield %b : f32
  } else {
    %c = arith.negf %x : f32
    scf.yield %c : f32
  }
  %s = scf.if %p -> (f32) {
    scf.yield %a : f32
  } else {
    %c = arith.negf %x : f32
    scf.yield %c : f32
  }
  %t = arith.addf %r, %s : f32
  func.return %t : f32
}

// CHECK-LABEL: func.func @regions
// CHECK-NEXT:    %a = arith.mulf %x, %x : f32
// CHECK-NEXT:    %r = scf.if %p -> (f32) {
// CHECK-NEXT:      scf.yield %a : f32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %c = arith.negf %x : f32
// CHECK-NEXT:      scf.yield %c : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %t = arith.addf %r, %r : f32
