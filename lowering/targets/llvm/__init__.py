"""From the core dialects to the llvm dialect."""
