"""LLVM as a library: LLVM IR to optimised IR, assembly, objects, and modules for WebAssembly."""
