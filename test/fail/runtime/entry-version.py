# EXIT: 1
# ERROR: the entry record has version 7, this is version 4
from hologram.runtime.entry import parse_entries

parse_entries('[{"version": 7}]')
