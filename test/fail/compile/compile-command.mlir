// RUN: hologram-compile inspct x.holo
// EXIT: 2
// ERROR: there is no command and no file 'inspct'
// ERROR: hint: did you mean 'inspect'
