"""Programs for C: shared objects with tables that the C library of `hologram.h` reads, prototypes, and the library."""
