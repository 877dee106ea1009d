"""The core of the interpreter: values, traps, scalar operations, and what executes host code."""
