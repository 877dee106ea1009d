// RUN: hologram-compile - --watch -o x.holo
// EXIT: 2
// ERROR: standard input can't be watched
