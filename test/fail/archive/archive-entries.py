# EXIT: 1
# ERROR: has other entries than the archive says
from dataclasses import replace

import hologram
from hologram.runtime.archive import Archive, write
from sample_archives import compiled

add = compiled("add")
print(hologram.load(write(Archive((replace(add, entries=add.entries[:1]),))))["add"])
