// RUN: hologram-opt %s --allow-unregistered-dialect
// EXIT: 1
// ERROR: :5:42: error: i32 is no type of ring elements, so it has no constants of them \[torus-elements-type\]

"test.a"() {x = #torus.elements<i32, [1]>} : () -> ()
