// RUN: hologram-compile --c-library %t.nowhere
// EXIT: 2
// ERROR: there is no folder
