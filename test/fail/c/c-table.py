# ERROR: 'main' can't be called by the C library: '9223372036854775808 < 1' needs more than it computes
from hologram.driver.c.table import program_table
from hologram.runtime.entry import Entry

program_table([Entry("main", "main", (), (f"{2**63} < 1",), packed="hologram_call_main")])
