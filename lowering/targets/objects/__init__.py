"""What LLVM makes of LLVM IR: optimised IR, assembly, objects, and modules for WebAssembly."""
