// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: the scalars of 'p' arrive in \(!machine\.pred<p0>\), expected \(!machine\.reg\) \[machine-arrays-registers\]

machine.arrays @p(%a: f32 in !machine.pred<p0>) {
}
