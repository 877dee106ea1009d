# EXIT: 2
# ERROR: 'sqrt' is not defined for i32
# ERROR: it takes bf16, f16, f32, f64
from hologram.driver.conformance import check_instruction

check_instruction("sqrt", ["i32"])
