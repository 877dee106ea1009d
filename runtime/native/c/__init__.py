"""The C sources of the runtime; nothing here is imported. `make native` compiles them."""
