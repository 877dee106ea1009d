"""The common part of the command line tools: exit codes, one message for every error, reading and writing files."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from unicodedata import category

from hologram.errors import (
    EXIT_INPUT,
    HologramError,
    InputError,
    InternalError,
    UsageError,
    did_you_mean,
    nearest,
    render,
)
from hologram.errors.machine import machine_error
from hologram.plugins import load_named, load_plugin
from hologram.plugins.faults import blamed, described
from hologram.runtime.files import replace_file
from hologram.runtime.settings import misspelt, traceback_wanted
from hologram.support.recursion import deep_recursion
from hologram.support.regular_files import MOST_BYTES, read_file, read_input, why_unwritable

if TYPE_CHECKING:
    import click

ResultT = TypeVar("ResultT")

EXIT_INTERRUPTED = 130
DEEP_NESTING = 60
"""Nesting of brackets beyond which a text is worked on with a large stack."""
_DEEP_STACK = 1 << 29
_DEEP_FRAMES = 200_000

PLUGIN_OPTION = "--load-plugin"
REPORT = "this is a fault of the compiler, not of your program: please report it with the file above"


def run_tool(
    command: click.Command,
    args: Sequence[str] | None = None,
    normalized: Callable[[Sequence[str]], Sequence[str]] = lambda args: args,
    more_options: Callable[[], Iterable[str]] = tuple,
) -> int:
    """Runs a click command and gives the exit code. Every failure is one message on standard error, no traceback.

    The plug-ins that the arguments name are loaded before `normalized` brings these into the form that click takes.
    `more_options` are names that one may have meant, besides those of the command.
    """
    import click

    sys.stdout = sys.stdout or NoStream()
    _add_version(command)
    try:
        for line in misspelt():
            warn(line)
        with _warnings_as_lines():
            load_named()
            given = load_plugins(list(sys.argv[1:] if args is None else args))
        with _warnings_as_lines(), command.make_context(command.name, list(normalized(given))) as context:
            result = command.invoke(context)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        return report(usage_error(error, more_options))
    except HologramError as error:
        return report(error)
    except (KeyboardInterrupt, click.Abort):
        sys.stderr.write("interrupted\n")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return EXIT_INPUT
    except OSError as error:
        return report(unwritten(error))
    except Exception as error:
        return report(unexpected(error))


def _add_version(command: click.Command) -> None:
    """Gives a command the option that shows the version, unless it has it."""
    import click

    if not any("--version" in parameter.opts for parameter in command.params):
        command.params.append(
            click.Option(
                ["-v", "--version"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_show_version,
                help="Show the version.",
            )
        )


def _show_version(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    """Writes our version, and those of what decides what we do."""
    if not value or context.resilient_parsing:
        return
    import platform
    from importlib.metadata import version

    about = f"(xdsl {version('xdsl')}, Python {platform.python_version()})"
    sys.stdout.write(f"{context.command_path} {version('hologram-mlir')} {about}\n")
    context.exit()


class NoStream(io.TextIOBase):
    """Standard output that was closed before we began."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def unwritten(error: OSError) -> HologramError:
    """The error of standard output, since files are read and written where their own errors are known."""
    if error.filename is not None or error.errno not in _OUTPUT_ERRORS:
        return unexpected(error)
    _drop_output()
    message = f"standard output can't be written: {error.strerror}"
    return UsageError("output-unwritable", message, hint="let it go to a file or a program that takes it")


_OUTPUT_ERRORS = (errno.EBADF, errno.EFBIG, errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EINVAL, errno.ESPIPE)


def _drop_output() -> None:
    """Lets what is left of standard output go nowhere: it would be written again when the process ends. A stream that a
    program put in its place is the program's, and stays as it is."""
    if sys.stdout is not sys.__stdout__:
        return
    with contextlib.suppress(OSError, ValueError, AttributeError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def report(error: HologramError) -> int:
    """Writes the error to standard error and gives its exit code. HOLOGRAM_TRACEBACK=1 adds the traceback."""
    try:
        sys.stdout.flush()
    except OSError:
        _drop_output()
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]
        return error.exit_code
    sys.stderr.write(render(error) + "\n")
    if traceback_wanted():
        import traceback

        traceback.print_exception(error)
    return error.exit_code


def unexpected(error: BaseException) -> HologramError:
    """An exception that nothing foresaw, as an error: of the machine, a plug-in or ours; of depth, a program's."""
    if isinstance(error, InternalError):
        return error
    if (lack := machine_error(error)) is not None:
        return lack
    if (plugin := blamed(error)) is not None:
        message, hint = f"the plug-in '{plugin[0]}' broke: {described(error)}", "that is a fault of the plug-in"
        wrong = InputError("plugin-unexpected", message, hint=hint, where=plugin[1])
        wrong.__cause__ = error
        return wrong
    if isinstance(error, RecursionError):
        hint = "flatten what is nested hundreds of levels deep, or outline the inner parts"
        deep = InputError("input-too-deep", "this program is nested too deeply to be worked on", hint=hint)
        deep.__cause__ = error
        return deep
    reason = f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")
    wrapped = InternalError("unexpected", reason, hint="HOLOGRAM_TRACEBACK=1 shows where it happened; please report it")
    wrapped.__cause__ = error
    return wrapped


def usage_error(error: click.ClickException, more_options: Callable[[], Iterable[str]]) -> UsageError:
    """Return what click found wrong with the command line, in our form."""
    from click import exceptions

    if isinstance(error, exceptions.NoSuchOption):
        return _unknown_option(error, more_options)
    context = getattr(error, "ctx", None)
    command = getattr(context, "command_path", None)
    hint = f"{command} --help lists the options" if command else None
    message = error.format_message().rstrip(".")
    parameter = getattr(error, "param", None)
    if isinstance(error, exceptions.MissingParameter) and parameter is not None:
        message, hint = f"{parameter.make_metavar(context)} is missing", f"{command} --help says how it is used"
    elif isinstance(error, exceptions.BadParameter) and parameter is not None:
        message, hint = _bad_value(parameter, message)
    elif isinstance(error, exceptions.BadOptionUsage):
        hint = (
            "leave out what stands behind '='"
            if "not take" in message
            else f"{error.option_name} has a value behind it"
        )
    elif match := re.match(r"Got unexpected extra arguments? \((.*)\)", message):
        message = f"nothing more is expected, and '{match[1]}' follows"
        first = match[1][:1]
        dash = first not in ("", "-") and category(first) == "Pd"
        hint = (
            f"an option begins with a plain '-', and this is U+{ord(first):04X}"
            if dash
            else _MORE.get(command or "", hint)
        )
    return UsageError("usage", message if message[1:2].isupper() else message[:1].lower() + message[1:], hint=hint)


_MORE = {
    "hologram-opt": "one file is read; passes stand behind -p, with commas between them: -p canonicalize,cse",
    "hologram-run": "one file is run; each of its arguments stands behind an --arg of its own",
}
"""What helps where a command is given more than it takes."""


def _bad_value(parameter: click.Parameter, message: str) -> tuple[str, str | None]:
    """What a parameter is that has a value of another kind, in our words."""
    import click

    name, kind = max(parameter.opts, key=len), parameter.type
    given = re.search(r": (?:'(.*)' is not|(-?\d+) is not)", message)
    if given is None:
        return message, None
    value = given[1] if given[1] is not None else given[2]
    if isinstance(kind, click.IntRange):
        to = f" to {kind.max}" if kind.max is not None else ""
        return (
            f"'{name}' is a whole number from {kind.min}{to}, not '{value}'",
            f"such as {name} {kind.max or kind.min}",
        )
    if isinstance(kind, click.types.FloatParamType):
        return f"'{name}' is a number, not '{value}'", f"such as {name} 1.5"
    if isinstance(kind, click.types.BoolParamType):
        return f"'{name}' is true or false, not '{value}'", f"write {name}=true"
    return message, None


def _unknown_option(error: click.NoSuchOption, more_options: Callable[[], Iterable[str]]) -> UsageError:
    options = [o for p in error.ctx.command.params for o in p.opts] if error.ctx else []
    name = error.option_name
    near = nearest(name.lstrip("-"), [o[2:] for o in (*options, *more_options()) if o.startswith("--")])
    hint = "--help lists the options" if near is None else f"did you mean '--{near}'?"
    return UsageError("option-unknown-cli", f"there is no option '{name}'", hint=hint)


def list_of(option: str, text: str) -> list[str]:
    """The names of a list such as `f32,f64`, which stands behind an option."""
    names = [name.strip() for name in text.split(",")]
    if "" in names or any(" " in name for name in names):
        message = f"{option} takes names with one comma between two, not '{text}'"
        example = ",".join(text.replace(",", " ").split())
        raise UsageError("list-names", message, hint=f"write {option} {example}" if example else f"leave {option} out")
    return names


# Options


def argument(**details: Any) -> Any:
    """A field of a dataclass of options that is click's argument with these details."""
    return field(default=details.get("default"), metadata={"declare": "argument", "names": (), "details": details})


def option(help: str, metavar: str | None, *names: str, **details: Any) -> Any:
    """A field of a dataclass of options that is click's option with these details; --field-name if no name is given.

    `metavar` is what stands for the value in the help; None where click's type says it.
    """
    default = () if details.get("multiple") else details.get("default")
    details |= {"help": help, "metavar": metavar}
    return field(default=default, metadata={"declare": "option", "names": names, "details": details})


def flag(help: str, *names: str) -> Any:
    """An option without a value, which is true if it is given."""
    return option(help, None, *names, is_flag=True, default=False)


def takes(options: type[Any]) -> Callable[[Any], Any]:
    """A decorator that gives a click command the options that the fields of a dataclass declare, in their order."""
    import click

    def decorate(function: Any) -> Any:
        function = plugin_option(function)
        for declared in reversed(fields(options)):
            data, name = declared.metadata, declared.name
            names = data["names"] or (f"--{name.replace('_', '-')}",) * (data["declare"] == "option")
            function = getattr(click, data["declare"])(*names, name, **data["details"])(function)
        return function

    return decorate


def plugin_option(function: Any) -> Any:
    """A decorator that gives a click command the option of plug-ins, which `run_tool` follows."""
    import click

    text = "Load a plug-in first: a .py file, a folder or a module."
    return click.option(PLUGIN_OPTION, metavar="FILE", multiple=True, expose_value=False, help=text)(function)


def load_plugins(args: list[str]) -> list[str]:
    """Loads the plug-ins that the options among arguments name; the others are left."""
    rest: list[str] = []
    while args and args[0] != "--":
        name, equals, value = args.pop(0).partition("=")
        if name not in (PLUGIN_OPTION, PLUGIN_OPTION[1:]) or (not equals and not args):
            rest.append(name + equals + value)
        else:
            load_plugin(value if equals else args.pop(0))
    return rest + args


def warn(message: str) -> None:
    """Writes a warning to standard error."""
    if sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stderr.write(f"warning: {message}\n")


@contextlib.contextmanager
def _warnings_as_lines() -> Generator[None]:
    """Shows warnings as lines on standard error, without the place in our code."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        warn(str(message))

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


# Files


def read_text(name: str) -> str:
    """The text of a file, or of standard input for `-`."""
    try:
        return read_bytes(name).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        called = "standard input" if name == "-" else f"'{name}'"
        message = f"{called} is not UTF-8 text: byte {error.object[error.start]:#04x} at {error.start}"
        from hologram.driver.source import encoding_hint

        raise InputError("file-not-text", message, hint=encoding_hint(error.object)) from None


def read_bytes(name: str, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file, at most so many, or of standard input for `-`."""
    try:
        return read_input() if name == "-" else read_file(name, most)
    except FileNotFoundError:
        raise InputError("file-not-found", f"there is no file '{name}'", hint=_nearest_file(name)) from None
    except IsADirectoryError:
        raise InputError("file-is-folder", f"'{name}' is a folder, not a file") from None
    except OSError as error:
        raise InputError("file-unreadable", f"'{name}' can't be read: {error.strerror}") from None


def _nearest_file(name: str) -> str | None:
    path = Path(name)
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return f"there is no folder '{path.parent}' either"
    near = did_you_mean(path.name, names)
    return near.replace("did you mean '", f"did you mean '{path.parent / '_'}".replace("_", "")) if near else None


def write_output(name: str, data: bytes, *, mapped: bool = False) -> None:
    """Writes a file, or standard output for `-`. One that may be `mapped` by programs that run is replaced: they keep
    the old one."""
    if name == "-":
        buffer = getattr(sys.stdout, "buffer", None)
        if buffer is None:
            sys.stdout.write(data.decode("utf-8", "replace"))
            return
        sys.stdout.flush()
        buffer.write(data)
        buffer.flush()
        return
    write_file(name, data, mapped=mapped)


def write_file(name: str, data: bytes, *, mapped: bool = False) -> None:
    """Writes a file, whatever its name is."""
    try:
        path = Path(name)
        if mapped or not path.exists() or path.is_file():
            replace_file(path, data)  # Whoever has the old file open keeps it, and no half of one is left.
        else:
            path.write_bytes(data)
    except (OSError, ValueError) as error:
        reason, hint = why_unwritable(name, error)
        raise UsageError("file-unwritable", f"'{name}' can't be written: {reason}", hint=hint) from None


def make_folder(folder: Path) -> None:
    """Makes a folder, with those that it is in."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason, _ = why_unwritable(f"{folder}/" if folder.is_file() else str(folder), error)
        raise UsageError(
            "folder-unmade", f"the folder '{folder}' can't be made: {reason}", hint="name another"
        ) from None


# Deep nesting


def nesting(text: str) -> int:
    """Return how deep braces and parentheses are nested in `text`, roughly: those of strings and comments count too."""
    depth = deepest = 0
    for match in re.finditer(r"[{}()]", text):
        if match[0] in "{(":
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth -= 1
    return deepest


def with_room_for(text: str, work: Callable[[], ResultT]) -> ResultT:
    """Calls `work`, in a thread with a large stack if `text` is nested deeply."""
    if sum(map(text.count, "{(")) <= DEEP_NESTING or nesting(text) <= DEEP_NESTING:
        return work()
    outcome: list[ResultT] = []
    failure: list[BaseException] = []

    def body() -> None:
        try:
            with deep_recursion(_DEEP_FRAMES):
                outcome.append(work())
        except BaseException as error:
            failure.append(error)

    old = threading.stack_size(_DEEP_STACK)
    try:
        thread = threading.Thread(target=body, daemon=True)
        thread.start()
    finally:
        threading.stack_size(old)
    thread.join()
    if failure:
        raise failure[0]
    return outcome[0]
