"""LLVM IR that was made of the C sources, a file for each module and platform; nothing here is imported."""
