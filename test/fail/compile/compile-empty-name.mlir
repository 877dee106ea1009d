// RUN: hologram-compile "" -o x.holo
// EXIT: 2
// ERROR: the name of a file is empty
