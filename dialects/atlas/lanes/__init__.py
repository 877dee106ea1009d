"""Lane-level programs: what one lane executes (isa.md section 1)."""
