"""`make native`: compiles the C sources of the runtime anew."""

from __future__ import annotations

from native_code.compile_c import FILES, compiled, files


def main() -> None:
    """Writes the files, and removes those that nobody asks for."""
    written = {path: compiled(module, platform) for module, platform, path in files()}
    for path in FILES.glob("*.ll"):
        if path not in written:
            path.unlink()
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")
    print(f"{len(written)} files written")


if __name__ == "__main__":
    main()
