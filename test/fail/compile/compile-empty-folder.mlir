// RUN: hologram-compile %S/Inputs/empty -o x.holo
// ERROR: the folder '.*empty' holds no program
// ERROR: hint: programs are files of kernels
