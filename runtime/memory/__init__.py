"""Memory that programs work on: buffers, class memory, pools, arrays on devices."""
