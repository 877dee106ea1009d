// RUN: hologram-opt %s -p convert-class-tiles
// ERROR: 'class.arena' stands in no function or program that could take class memory

%t = class.arena : memref<1179648xi8>
