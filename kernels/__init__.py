"""The kernel library: sources that users can read and copy. Its first kernels come with the Python frontend."""
