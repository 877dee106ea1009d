// RUN: hologram-opt %s -p lift-machine | filecheck %s

// A loop with its counter in r1; what does not change is no argument of a block.

// CHECK:       atlas.program @count(%0: memref<?xi32> {{{.*}}}, %1: i32 {{{.*}}}) {
// CHECK:         atlas.bra ^[[BODY:.*]](%1, %{{.*}} : i32, i32)
// CHECK-NEXT:  ^[[BODY]](%[[N:.*]]: i32, %[[SUM:.*]]: i32):
// CHECK-NEXT:    %[[NEXT:.*]] = atlas.add i32 %[[SUM]], %[[N]]
// CHECK-NEXT:    %[[ONE:.*]] = atlas.mov_imm 1 : i32
// CHECK-NEXT:    %[[LESS:.*]] = atlas.sub u32 %[[N]], %[[ONE]]
// CHECK:         atlas.bra %{{.*}}, ^[[BODY]](%[[LESS]], %[[NEXT]] : i32, i32), ^[[END:.*]]
// CHECK-NEXT:  ^[[END]]:
// CHECK:         %[[AT:.*]] = atlas.lea i32 %0[%{{.*}} : i64] : memref<?xi32>
// CHECK-NEXT:    atlas.stg i32 %[[NEXT]], %[[AT]][] : !atlas.ptr<i32, global>
machine.program @count(i32[?], %n: u32 in !machine.reg<r1>) {
  %zero = machine.mov_imm i32 0 : i32 : () -> (!machine.reg<r2>)
  machine.fall ^body
^body:
  %count = machine.get : !machine.reg<r1>
  %sum = machine.get : !machine.reg<r2>
  %next = machine.add i32 %sum, %count : (!machine.reg<r2>, !machine.reg<r1>) -> (!machine.reg<r2>)
  %less = machine.loop <u32> %count ^body, ^end : !machine.reg<r1> -> !machine.reg<r1>
^end:
  %all = machine.get : !machine.reg<r2>
  machine.stg i32 [buf0 + 8], %all : (!machine.reg<r2>) -> ()
  machine.exit
}
