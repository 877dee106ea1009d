"""What every conversion builds on: the driver, builders, hidden arguments, traps, entries."""
