"""Machine code of the Atlas ISA: registers, selection and lifting, assembly and the binary container."""
