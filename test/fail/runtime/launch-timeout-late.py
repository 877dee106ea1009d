# EXIT: 1
# ERROR: took longer than 0.01 seconds; it ended, as it could not be stopped \[launch-timeout-late\]
import time

import hologram

with hologram.timeout(0.01):
    time.sleep(0.02)
