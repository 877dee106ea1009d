# EXIT: 1
# ERROR: the entry record is damaged: 'name' is missing
from hologram.runtime.entry import parse_entries

parse_entries('[{"version": 1}]')
