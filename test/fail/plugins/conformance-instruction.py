# EXIT: 2
# ERROR: there is no instruction 'copysin'
from hologram.driver.conformance import check_instruction

check_instruction("copysin")
