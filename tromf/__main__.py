"""The command line: `tromf COMMAND …`, one module a command in `tromf.commands`.

What a user can cause (a wrong name, a file that is not there, a full disk) becomes one line `tromf: …` and exit code 2;
Ctrl-C exits with 130. Other exceptions are bugs of ours and keep their traceback, as does everything if `TROMF_TRACEBACK` is set.
"""

import _thread
import os
import signal
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import Any

COMMANDS = (
    "games", "play", "replay", "train", "evaluate", "best-response", "ablate", "ladder", "party", "solve", "exploitability", "bench",
    "warm", "demo",
)  # fmt: skip


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line with these arguments, by default those of the process, and raise `SystemExit`."""
    with errors_as_lines(ends_process=argv is None), interruptible():
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="replace")  # suits of cards become ?, where a terminal has no such letters
        if sys.stdin is None:  # closed: as good as empty
            sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 (for as long as the process lives)
        warnings.formatwarning = lambda message, *where, **more: f"warning: {message}\n"  # one line, without a line of source
        arguments = list(sys.argv[1:] if argv is None else argv)
        try:
            code = _application(arguments)(arguments or ["--help"], prog_name="tromf", standalone_mode=False)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()  # here, so that a full disk or a closed pipe is noticed while we can still say so
        sys.exit(code)


def _application(arguments: list[str]) -> Any:
    """The typer application. If the first argument names a command, only that one is loaded."""
    import typer

    from tromf import __version__

    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]})

    def show_version(wanted: bool) -> None:
        if wanted:
            print(f"tromf {__version__}")
            raise typer.Exit

    @app.callback(help="Self-play on traditional card games: train agents, evaluate them, study strategy.")
    def tromf(
        version: bool = typer.Option(False, "--version", callback=show_version, is_eager=True, help="Print the version and exit."),
    ) -> None:
        pass

    for name in [name for name in arguments[:1] if name in COMMANDS] or COMMANDS:
        python_name = name.replace("-", "_")
        module = import_module(f"tromf.commands.{python_name}")
        app.command(name)(errors_as_lines()(getattr(module, python_name)))
    return app


class _Interrupts:
    """Whether Ctrl-C was pressed and not yet spoken of: libraries turn the exception into others, or lose it."""

    seen = False


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C raises `KeyboardInterrupt`, but not where that would do harm, and again a moment later until it has been spoken of.

    A second time, because whatever code happens to run may lose the exception: a bare `except`, a destructor, a callback from C.
    """
    tried_again, main_thread = False, _thread.get_ident()

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal tried_again
        pressed, tried_again = not tried_again, False
        _Interrupts.seen = True
        _thread.start_new_thread(again, ())  # not by `threading`: it takes locks, which the code we are in may hold
        if not _fragile(frame) and (pressed or not _on_its_way()):
            raise KeyboardInterrupt

    def again() -> None:
        nonlocal tried_again
        time.sleep(0.05)
        if _Interrupts.seen:
            tried_again = True
            if hasattr(signal, "pthread_kill"):  # a true signal wakes the main thread, should it wait or sleep
                signal.pthread_kill(main_thread, signal.SIGINT)
            else:
                _thread.interrupt_main()

    def print_others(unraisable: Any) -> None:  # exceptions in destructors and callbacks, which Python cannot pass on
        if not isinstance(unraisable.exc_value, KeyboardInterrupt):
            hook(unraisable)

    _Interrupts.seen = False
    handler, hook = signal.signal(signal.SIGINT, interrupt), sys.unraisablehook
    sys.unraisablehook = print_others
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        sys.unraisablehook = hook


def _fragile(frame: FrameType | None) -> bool:
    """Whether an exception here would do harm: LLVM, left in the middle of a call, may crash at the end; an import would stay half done."""
    while frame is not None and frame.f_code is not main.__code__:
        if "llvmlite" in frame.f_code.co_filename or frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _on_its_way() -> bool:
    """Whether a `KeyboardInterrupt`, or what came of it, is being handled just now: by a `finally` that tidies up, for instance."""
    error = sys.exc_info()[1]
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


@contextmanager
def errors_as_lines(ends_process: bool = False) -> Iterator[None]:
    """Turn exceptions that a user can cause into one line on stderr and an exit code. Also a decorator of functions.

    With `ends_process`, Ctrl-C ends the process here and now: Python's own tidying up is not made for interruptions anywhere.
    """
    try:
        yield
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) or _Interrupts.seen:
            _Interrupts.seen = False
            _say("interrupted")
            error = SystemExit(130)
        if isinstance(error, SystemExit):
            if error.code == 130 and ends_process:
                os._exit(130)
            raise error from None
        if isinstance(error, BrokenPipeError):
            _say(None)  # whoever read our output went away, `| head` for instance
            sys.exit(1)
        if hasattr(error, "format_message"):  # typer's own, for a command line of another form
            _say(_usage(error))
            sys.exit(2)
        if isinstance(error, (ValueError, OSError, MemoryError)) and not os.environ.get("TROMF_TRACEBACK"):
            _say(message(error))
            sys.exit(2)
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


def _usage(error: Any) -> str:
    """What typer finds wrong with a command line, in one line, and where to look."""
    context = getattr(error, "ctx", None)
    return f"{' '.join(error.format_message().split()).rstrip('.')} (see {context.command_path if context else 'tromf'} --help)"


def _say(text: str | None) -> None:
    """One line on stderr, with everything flushed, even if stdout or stderr cannot be written to any more."""
    for file in (sys.stdout, sys.stderr):
        try:
            if file is sys.stderr and text and file is not None:
                print(f"tromf: {text}", file=file)
            if file is not None:
                file.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), file.fileno())  # or Python would complain once more at its end


if __name__ == "__main__":
    main()
