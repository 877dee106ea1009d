# EXIT: 1
# ERROR: program .add. is not valid
from dataclasses import replace

from hologram.driver.archives.verify import verify
from hologram.runtime.archive import Archive, write
from sample_archives import sample

verify(write(Archive((replace(sample().programs[1], ir=b"func.func @main("),))))
