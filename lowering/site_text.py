"""What the compiler and the runtime agree on for the texts of trapping sites. Imports nothing."""

from __future__ import annotations

NO_MEMORY = "no memory for "
"""How a text begins where memory is asked for: an operation's name follows, and the record's first value is the number
of bytes. What is told then is no trap of the program."""
MOST_BYTES = 1 << 62
"""More bytes are told as so many: the record has words of 64 bits."""
