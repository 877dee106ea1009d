// RUN: hologram-opt %s -p structure-control-flow
// EXIT: 1
// ERROR: :8:1: error: a !atlas.ptr<f32, global> is needed where control comes by different ways.* \[structure-stand-in\]

atlas.func @make() -> (!atlas.ptr<f32, global>) {
  atlas.exit
}
atlas.program @p(%p: i1, %q: i1) {
  atlas.bra ^loop
^loop:
  atlas.bra %p, ^first, ^more
^more:
  %a = atlas.call @make() : () -> (!atlas.ptr<f32, global>)
  atlas.bra %q, ^loop, ^second
^second:
  %v = atlas.ldg f32 %a[] : !atlas.ptr<f32, global>
  atlas.exit
^first:
  atlas.exit
}
