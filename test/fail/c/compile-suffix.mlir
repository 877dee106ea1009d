// RUN: hologram-compile %s -o %t.exe
// EXIT: 2
// ERROR: does not say what it is
// ERROR: hint: it ends in .holo for an archive, in .so
