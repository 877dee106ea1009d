# EXIT: 1
# ERROR: the code of .add. for cpu has other entries
from dataclasses import replace

from hologram.runtime.archive import Archive, write
from hologram.runtime.archive.verify import verify
from sample_archives import compiled

add = compiled("add")
verify(write(Archive((replace(add, entries=add.entries[:1]),))))
