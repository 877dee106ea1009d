"""Device code as text: OpenCL C, WGSL and Metal, from one structured printer."""
