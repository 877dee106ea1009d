// RUN: hologram-compile
// EXIT: 2
// ERROR: there is nothing to do
