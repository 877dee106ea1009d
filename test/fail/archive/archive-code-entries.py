# EXIT: 1
# ERROR: the code of .add. for cpu has other entries
from dataclasses import replace

from hologram.driver.archives.verify import verify
from hologram.runtime.archive import Archive, write
from sample_archives import compiled

add = compiled("add")
verify(write(Archive((replace(add, entries=add.entries[:1]),))))
