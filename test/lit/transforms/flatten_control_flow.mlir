// RUN: hologram-opt %s -p flatten-control-flow | filecheck %s

// CHECK-LABEL: atlas.program @p
// CHECK:         atlas.bra %p, ^[[THEN:.*]], ^[[ELSE:.*]]
// CHECK-NEXT:  ^[[THEN]]:
// CHECK-NEXT:    atlas.exit
// CHECK-NEXT:  ^[[ELSE]]:
// CHECK-NEXT:    atlas.bra ^[[JOIN:.*]](%n : i32)
// CHECK-NEXT:  ^[[JOIN]](%m: i32):
// CHECK:         atlas.bra ^[[HEAD:.*]](%{{.*}}, %m : i32, i32)
// CHECK-NEXT:  ^[[HEAD]](%[[I:.*]]: i32, %[[A:.*]]: i32):
// CHECK-NEXT:    %[[MORE:.*]] = atlas.setcc lt u32 %[[I]], %m
// CHECK-NEXT:    atlas.bra %[[MORE]], ^[[BODY:.*]](%[[I]], %[[A]] : i32, i32), ^[[DONE:.*]](%[[A]] : i32)
// CHECK-NEXT:  ^[[BODY]](%j: i32, %a: i32):
// CHECK-NEXT:    %b = atlas.add i32 %a, %j
// CHECK:         atlas.bra ^[[HEAD]]({{.*}}, %b : i32, i32)
// CHECK-NEXT:  ^[[DONE]](%s: i32):
// CHECK-NEXT:    atlas.bra ^[[AGAIN:.*]](%s : i32)
// CHECK-NEXT:  ^[[AGAIN]](%x: i32):
// CHECK-NEXT:    atlas.bra %p, ^[[AGAIN]](%x : i32), ^[[END:.*]]
// CHECK-NEXT:  ^[[END]]:
// CHECK-NEXT:    atlas.exit
atlas.program @p(%p: i1, %n: i32) {
  %m = atlas.if %p -> (i32) {
    atlas.exit
  } else {
    atlas.yield %n : i32
  }
  %s = atlas.loop %m : i32 iter(%m : i32) {
  ^bb0(%j: i32, %a: i32):
    %b = atlas.add i32 %a, %j
    atlas.yield %b : i32
  }
  atlas.repeat iter(%s : i32) {
  ^bb0(%x: i32):
    atlas.yield %p, %x : i1, i32
  }
}
