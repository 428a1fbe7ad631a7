"""A run: training in a folder, which can be killed at any moment and resumed.

In the folder: `config.yaml`; `metrics.jsonl`, an object for each iteration, and the same as TensorBoard events;
`checkpoint.npz`, all that continuing needs; `last.safetensors`, the average network at the last checkpoint; `best.safetensors`,
the one that did best in an evaluation. Files are written beside and renamed into place; logs only grow, and resuming cuts
them back to the checkpoint. One process at a time trains in a folder.
"""

import io
import json
import os
import signal
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO

import numpy as np
import yaml
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter

from tromf import __version__
from tromf.agents import net
from tromf.agents.weights import layout_hash
from tromf.envs.files import write_whole
from tromf.envs.schema import parse, read_mapping
from tromf.train.config import Config, variant_of
from tromf.train.ppo import Trainer, warm_up

try:
    import fcntl
except ImportError:  # no POSIX system: nothing guards the folder there
    fcntl = None  # type: ignore[assignment]

Report = Callable[[dict[str, float]], None]
CONFIG, CHECKPOINT, METRICS, EVENTS, LOCK = "config.yaml", "checkpoint.npz", "metrics.jsonl", "events.out.tfevents.0.tromf", ".lock"
MEASURED = 8  # iterations after which a run with a budget in minutes estimates how many decisions that will be


def start(config: Config, folder: str | Path, report: Report = lambda metrics: None) -> Path:
    """Train in a new folder; the path of the best agent. `OSError` or `ValueError`, in one line, for whatever a user can cause."""
    folder = Path(folder)
    if (folder / CONFIG).exists():
        raise ValueError(f"{folder} already holds a run: resume it with --resume {folder}, or choose another folder")
    trainer = Trainer(config)  # before anything is written: it says what is wrong with the configuration
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        run = Run(trainer, folder)
        run.checkpoint()
        write_whole(folder / CONFIG, yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False))
        return run.train(report)


def resume(folder: str | Path, config: Config | None = None, report: Report = lambda metrics: None) -> Path:
    """Continue the run in a folder from its checkpoint; a configuration, if given, must be the run's own."""
    folder = Path(folder)
    if not (folder / CONFIG).is_file():
        raise FileNotFoundError(f"{folder} holds no run to resume: there is no {CONFIG} in it")
    with locked(folder):
        own = parse(read_mapping(folder / CONFIG), str(folder / CONFIG), Config)
        if config is not None and config != own:
            raise ValueError(f"{folder} is a run with another configuration: {difference(own.model_dump(), config.model_dump())}")
        run = Run(Trainer(own), folder)
        run.restore()
        return run.train(report)


class Run:
    """A trainer at work in a folder: its budget, logs, checkpoints and evaluations."""

    def __init__(self, trainer: Trainer, folder: Path) -> None:
        self.trainer, self.config, self.folder = trainer, trainer.config, folder
        self.seconds = 0.0  # trained so far, over all sittings
        self.horizon = self.config.horizon or self.config.decisions  # decisions over which schedules run
        self.evaluated, self.best = 0, -float("inf")
        self.measured: list[tuple[float, int]] = []
        self.sizes = {METRICS: 0, EVENTS: 0}  # of the logs, when the checkpoint was written

    def finished(self) -> bool:
        if self.config.decisions is not None:
            return self.trainer.decisions >= self.config.decisions
        return self.seconds >= 60 * (self.config.minutes or 0)

    def done(self) -> float:
        """The share of the schedules' horizon that is done; 0 until a budget in minutes is known in decisions."""
        return self.trainer.decisions / self.horizon if self.horizon else 0.0

    def train(self, report: Report) -> Path:
        """Until the budget is spent. Ctrl-C ends it after the iteration, with a checkpoint."""
        warm_up(self.config)
        with ExitStack() as stack:
            interrupted = stack.enter_context(interrupts())
            logs = stack.enter_context(Logs(self.folder, self.sizes))
            last_checkpoint = last = time.monotonic()
            while not self.finished():
                metrics = self.trainer.iterate(self.done())
                check_finite(metrics, self.folder)
                ended = self.finished_after(time.monotonic() - last)
                if ended or self.trainer.decisions // self.config.evaluation.every > self.evaluated:
                    self.evaluated = self.trainer.decisions // self.config.evaluation.every
                    metrics |= self.evaluate()
                now = time.monotonic()
                self.seconds, last = self.seconds + now - last, now
                self.measure()
                metrics = {"decisions": self.trainer.decisions, "seconds": round(self.seconds, 3), "progress": self.progress()} | metrics
                self.sizes = logs.write(metrics)
                report(metrics)
                if ended or interrupted() or now - last_checkpoint >= self.config.checkpoint:
                    self.checkpoint()
                    last_checkpoint = now
                if interrupted() and not self.finished():
                    raise KeyboardInterrupt
        return self.folder / "best.safetensors"

    def finished_after(self, seconds: float) -> bool:
        """Whether the iteration that took these seconds was the last."""
        if self.config.decisions is not None:
            return self.finished()
        return self.seconds + seconds >= 60 * (self.config.minutes or 0)

    def progress(self) -> float:
        """The share of the budget that is spent."""
        if self.config.decisions is not None:
            return min(1.0, self.trainer.decisions / self.config.decisions)
        return min(1.0, self.seconds / (60 * (self.config.minutes or 1)))

    def measure(self) -> None:
        """Fix the horizon of a budget in minutes once its speed is known; the first iterations may have compiled something."""
        if self.horizon is None:
            self.measured.append((self.seconds, self.trainer.decisions))
            if len(self.measured) > MEASURED:
                (a, first), (b, last) = self.measured[MEASURED // 2], self.measured[-1]
                left = max(0.0, 60 * (self.config.minutes or 0) - self.seconds)
                self.horizon = last + round((last - first) / max(b - a, 1e-9) * left)

    def evaluate(self) -> dict[str, float]:
        """Play the evaluation's matches, and keep the network if it did better than any before."""
        metrics = self.trainer.evaluate()
        if metrics["evaluation"] > self.best:
            self.best = metrics["evaluation"]
            self.save("best.safetensors", lost=f"{metrics['lost']:.4f}")
        return metrics

    def save(self, name: str, **more: str) -> None:
        game, variant = variant_of(self.config.game, self.config.variant)
        net.save(self.folder / name, game, self.trainer.average, variant=variant, decisions=str(self.trainer.decisions), **more)

    def checkpoint(self) -> None:
        """Write everything that continuing needs."""
        arrays, rest = self.trainer.state()
        about = {
            "tromf": __version__, "layout": layout_hash(self.trainer.game), "seconds": self.seconds, "horizon": self.horizon,
            "evaluated": self.evaluated, "best": self.best, "sizes": self.sizes, "trainer": rest,
        }  # fmt: skip
        buffer = io.BytesIO()
        np.savez(buffer, about=np.array(json.dumps(about)), **arrays)  # type: ignore[arg-type]
        self.save("last.safetensors")
        write_whole(self.folder / CHECKPOINT, buffer.getvalue())

    def restore(self) -> None:
        """Continue from the checkpoint; `ValueError` if it is damaged or does not fit."""
        path = self.folder / CHECKPOINT
        data = io.BytesIO(path.read_bytes())
        game = self.trainer.game
        try:
            with np.load(data, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            about = json.loads(str(arrays.pop("about")))
            fits = about["layout"] == layout_hash(game) and arrays["states"].dtype == game.state
            if fits:
                self.trainer.restore(arrays, about["trainer"])
        except (KeyError, EOFError, ValueError, RuntimeError, AttributeError, zipfile.BadZipFile) as error:
            raise ValueError(f"{path} is damaged ({' '.join(str(error).split())}): start anew") from None
        if not fits:
            raise ValueError(
                f"{path} was written by tromf {about['tromf']}, for which {game.name} had other records or observations: start anew"
            )
        self.seconds, self.horizon, self.evaluated = about["seconds"], about["horizon"], about["evaluated"]
        self.best, self.sizes = about["best"], about["sizes"]


class Logs:
    """The two logs, which only grow: opening cuts them back to given sizes. A line is an object of metrics."""

    def __init__(self, folder: Path, sizes: dict[str, int]) -> None:
        for name, size in sizes.items():
            path = folder / name
            if (path.stat().st_size if path.exists() else 0) < size:
                raise ValueError(f"{path} is shorter than it was at the checkpoint: start anew")
            if path.is_file():
                os.truncate(path, size)
        self.files: dict[str, BinaryIO] = {name: (folder / name).open("ab") for name in sizes}
        self.events = RecordWriter(self.files[EVENTS])
        if sizes[EVENTS] == 0:
            self.events.write(Event(wall_time=time.time(), file_version="brain.Event:2").SerializeToString())

    def write(self, metrics: dict[str, float]) -> dict[str, int]:
        """Add a line to both; their sizes then. `OSError` names the file."""
        values = [Summary.Value(tag=name, simple_value=value) for name, value in metrics.items()]
        self.files[METRICS].write(json.dumps({name: significant(value) for name, value in metrics.items()}).encode() + b"\n")
        self.events.write(Event(wall_time=time.time(), step=int(metrics["decisions"]), summary=Summary(value=values)).SerializeToString())
        for file in self.files.values():
            try:
                file.flush()
            except OSError as error:
                raise OSError(f"cannot write {file.name}: {error.strerror}") from None
        return {name: os.fstat(file.fileno()).st_size for name, file in self.files.items()}

    def __enter__(self) -> "Logs":
        return self

    def __exit__(self, *error: object) -> None:
        for file in self.files.values():
            with suppress(OSError):  # a full disk, which has been reported
                file.close()


def significant(value: float) -> float:
    """Six digits are enough to read."""
    return value if isinstance(value, int) else float(f"{value:.6g}")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder for this process; the lock ends with the process, however it ends. `ValueError` if another one holds it."""
    try:
        file = (folder / LOCK).open("a")
    except OSError as error:
        raise OSError(f"cannot write in {folder}: {error.strerror}") from None
    with file:
        if fcntl:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise ValueError(f"another process is training in {folder}") from None
        yield


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed; only the second time it interrupts at once. Outside the main thread it is left alone."""
    pressed = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)


def check_finite(metrics: dict[str, float], folder: Path) -> None:
    """`ValueError` if learning has left the numbers; then nothing of it has been written."""
    for name in ("policy_loss", "value_loss", "gradient"):
        if not np.isfinite(metrics.get(name, 0.0)):
            raise ValueError(
                f"training in {folder} failed: {name} is {metrics[name]}; ppo.learning_rate or another setting of ppo is too large"
            )


def difference(own: dict[str, Any], other: dict[str, Any], above: Sequence[str] = ()) -> str:
    """The first key in which two configurations differ, and both values."""
    for key, value in own.items():
        if value != other[key]:
            if isinstance(value, dict) and isinstance(other[key], dict) and value.keys() == other[key].keys():
                return difference(value, other[key], (*above, key))
            return f"there, {'.'.join((*above, key))} is {value}, not {other[key]}"
    return "nothing differs"
