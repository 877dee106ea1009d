"""The base of every conversion: the driver, builders, hidden arguments, traps, entries."""
