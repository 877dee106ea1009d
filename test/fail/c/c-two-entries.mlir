// RUN: hologram-compile %S/Inputs/two -o x.so
// ERROR: '.*a.mlir' and '.*b.mlir' both have an entry 'main', and a library has one of a name
// ERROR: hint: call one of them otherwise, or make an archive
