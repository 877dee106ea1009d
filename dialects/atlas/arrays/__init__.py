"""Array-level instructions: one instruction for the whole grid (isa.md section 3)."""
