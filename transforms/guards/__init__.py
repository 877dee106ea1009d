"""Guards of programs that come at the kernel level: every access is proven in bounds, guarded or refused."""
