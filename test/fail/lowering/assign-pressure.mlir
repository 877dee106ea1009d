// RUN: hologram-opt %s -p "assign-registers{registers=8}"
// EXIT: 1
// ERROR: :5:1: error: the registers do not suffice: 'p' needs more at once than can go to local memory.* \[assign-pressure\]

atlas.program @p(%a: i512, %b: i512, %x: memref<1xi512>) {
  %o = atlas.mov_imm 0 : i64
  %c = atlas.add i512 %a, %b
  atlas.stg i512 %c, %x[%o : i64] : memref<1xi512>
}
