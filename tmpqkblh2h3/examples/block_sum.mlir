// A lane program: each block of 256 lanes sums its elements in shared memory, halving the active lanes at each barrier.
// The host function says how many blocks there are, and lets callers leave out the result.
func.func @block_sum(%x: memref<?xf32>, %sums: memref<?xf32> {hologram.result = "((x[0] + 255) // 256,)"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c256 : index
  atlas.launch @block_sum_lanes grid(%blocks, %c1, %c1) args(%x, %sums, %n : memref<?xf32>, memref<?xf32>, index)
  func.return
}

atlas.program @block_sum_lanes(%x: memref<?xf32>, %sums: memref<?xf32>, %size: index) block [256, 1, 1] {
  %partial = atlas.alloca : memref<256xf32, #atlas.space<shared>>
  %n = arith.index_cast %size : index to i64
  %gid = atlas.special gid : i64
  %lane32 = atlas.special lane.x : i32
  %lane = atlas.cvt u32 to u64 %lane32
  %zero = atlas.mov_imm 0.0 : f32
  %inside = atlas.setcc lt u64 %gid, %n
  %own = atlas.if %inside -> (f32) {
    %v = atlas.ldg f32 %x[%gid : i64] : memref<?xf32>
    atlas.yield %v : f32
  } else {
    atlas.yield %zero : f32
  }
  atlas.sts f32 %own, %partial[%lane : i64] : memref<256xf32, #atlas.space<shared>>
  atlas.bar.sync 0
  %half = atlas.mov_imm 128 : i32
  %steps = atlas.mov_imm 8 : i32
  atlas.loop %steps : i32 {
  ^bb0(%step: i32):
    %width = atlas.shr u32 %half, %step
    %active = atlas.setcc lt u32 %lane32, %width
    atlas.if %active {
      %other32 = atlas.add u32 %lane32, %width
      %other = atlas.cvt u32 to u64 %other32
      %a = atlas.lds f32 %partial[%lane : i64] : memref<256xf32, #atlas.space<shared>>
      %b = atlas.lds f32 %partial[%other : i64] : memref<256xf32, #atlas.space<shared>>
      %c = atlas.add f32 %a, %b
      atlas.sts f32 %c, %partial[%lane : i64] : memref<256xf32, #atlas.space<shared>>
    }
    atlas.bar.sync 0
    atlas.yield
  }
  %c0 = atlas.mov_imm 0 : i32
  %first = atlas.setcc eq u32 %lane32, %c0
  atlas.if %first {
    %i = atlas.mov_imm 0 : i64
    %total = atlas.lds f32 %partial[%i : i64] : memref<256xf32, #atlas.space<shared>>
    %block32 = atlas.special block.x : i32
    %block = atlas.cvt u32 to u64 %block32
    atlas.stg f32 %total, %sums[%block : i64] : memref<?xf32>
  }
}
