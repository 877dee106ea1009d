"""The kernel library: sources that users can read and copy. `stdlib` holds kernels, `circuits` circuits."""
