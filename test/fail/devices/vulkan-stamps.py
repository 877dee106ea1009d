# EXIT: 1
# ERROR: these events are too old to be timed
from typing import Any

from hologram.runtime.devices.vulkan.commands import STAMPS, Queue

queue: Any = object.__new__(Queue)
setattr(queue, "_next_stamp", STAMPS + 2)  # noqa: B010
queue.seconds(0, STAMPS + 1)
