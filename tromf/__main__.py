"""The command line: `tromf COMMAND …`, one module a command in `tromf.commands`.

What a user can cause (a wrong name, a file that is not there, a full disk) becomes one line `tromf: …` and exit code 2;
Ctrl-C exits with 130. Other exceptions are bugs of ours and keep their traceback, as does everything if `TROMF_TRACEBACK` is set.
"""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import FrameType
from typing import Any, NoReturn

COMMANDS = ("games", "play", "replay", "train", "evaluate", "bench", "warm", "demo")


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line with these arguments, by default the process's, and exit."""
    with errors_as_lines():
        _Interrupts.seen = False
        before = signal.signal(signal.SIGINT, _interrupted_by_user)
        arguments = list(sys.argv[1:] if argv is None else argv)
        try:
            _application(arguments)(arguments, prog_name="tromf")
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()  # here, so that a full disk or a closed pipe is noticed while we can still say so
            signal.signal(signal.SIGINT, before)


def _application(arguments: list[str]) -> Any:
    """The typer application. If the first argument names a command, only that one is loaded."""
    import typer

    from tromf import __version__

    app = typer.Typer(
        no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]}
    )

    def show_version(wanted: bool) -> None:
        if wanted:
            print(f"tromf {__version__}")
            raise typer.Exit

    @app.callback(help="Self-play on traditional card games: train agents, evaluate them, study strategy.")
    def tromf(
        version: bool = typer.Option(False, "--version", callback=show_version, is_eager=True, help="Print the version and exit."),
    ) -> None:
        pass

    present = [name for name in COMMANDS if find_spec(f"tromf.commands.{name}")]
    for name in [name for name in arguments[:1] if name in present] or present:
        module = import_module(f"tromf.commands.{name}")
        app.command(name)(errors_as_lines()(getattr(module, name)))
    return app


class _Interrupts:
    """Whether Ctrl-C was pressed and not yet spoken of: libraries turn the exception into others, in imports for instance."""

    seen = False


def _interrupted_by_user(number: int, frame: FrameType | None) -> None:
    _Interrupts.seen = True
    raise KeyboardInterrupt


@contextmanager
def errors_as_lines() -> Iterator[None]:
    """Turn exceptions that a user can cause into one line on stderr and an exit code. Also a decorator of functions."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) or _Interrupts.seen:
            _Interrupts.seen = False
            _leave("interrupted", 130)
        if isinstance(error, BrokenPipeError):
            _leave(None, 1)  # whoever read our output went away, `| head` for instance
        if isinstance(error, (ValueError, OSError, MemoryError)) and not os.environ.get("TROMF_TRACEBACK"):
            _leave(message(error), 2)
        raise


def message(error: BaseException) -> str:
    """What an exception says, in one line that names the thing."""
    if hasattr(error, "errors") and callable(error.errors):  # pydantic's ValidationError: several faults, several lines each
        text = "; ".join(
            f"{'.'.join(map(str, fault['loc']))}: {fault['msg'].removeprefix('Value error, ')}".removeprefix(": ")
            for fault in error.errors()
        )
    elif isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    else:
        text = str(error) or type(error).__name__
    return " ".join(text.split())


def _leave(text: str | None, code: int) -> NoReturn:
    """Exit with a code, after one line on stderr, even if stdout or stderr cannot be written to any more."""
    for file in (sys.stdout, sys.stderr):
        try:
            if file is sys.stderr and text and file is not None:
                print(f"tromf: {text}", file=file)
            if file is not None:
                file.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), file.fileno())  # or Python would complain once more at its end
    sys.exit(code)


if __name__ == "__main__":
    main()
