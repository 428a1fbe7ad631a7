"""Kill `tromf train` with SIGKILL at random moments, resume it each time, and compare with a run that nobody touched.

    python -m benchmarks.kill_resume --kills 10

Ends with exit code 1 if the final weights differ in a single bit, or the logs in a line (seconds apart).
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from safetensors.numpy import load_file

SETTINGS = (
    "games=256",
    "checkpoint=1",
    "past_every=100000",
    "opponents={journeyman: 0.5, past: 0.2}",
    "evaluation.every=100000",
    "evaluation.deals=50",
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kill_resume", description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=10, help="how often to kill (%(default)s)")
    parser.add_argument("--decisions", type=int, default=500_000, help="length of the run (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the moments (%(default)s)")
    given = parser.parse_args(arguments)
    moments = random.Random(given.seed)
    settings = [part for setting in (*SETTINGS, f"decisions={given.decisions}") for part in ("--set", setting)]
    with tempfile.TemporaryDirectory() as folder:
        whole, killed = Path(folder) / "whole", Path(folder) / "killed"
        begin = [sys.executable, "-m", "tromf", "train", "mustamaija/ppo", *settings, "--out"]
        started = time.monotonic()
        subprocess.run([*begin, str(whole)], check=True, stdout=subprocess.DEVNULL)
        iteration = float(json.loads((whole / "metrics.jsonl").read_text().splitlines()[-1])["seconds"]) / len(lines(whole))
        print(f"the whole run: {len(lines(whole))} iterations, {time.monotonic() - started:.0f} s", flush=True)
        for kill in range(given.kills):
            resume = [sys.executable, "-m", "tromf", "train", "--resume", str(killed)]
            command = resume if (killed / "config.yaml").exists() else [*begin, str(killed)]
            before = len(lines(killed))
            goal = before + moments.uniform(-2, 2 * len(lines(whole)) / given.kills)  # below: while it starts
            with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
                first = moments.uniform(0, 10) if goal <= before else 600
                deadline = time.monotonic() + first
                while process.poll() is None and time.monotonic() < deadline and len(lines(killed)) < goal:
                    time.sleep(iteration / 20)
                time.sleep(moments.uniform(0, iteration))
                process.kill()
            print(f"kill {kill + 1}: {before} iterations in the log before, {len(lines(killed))} after", flush=True)
        if not (killed / "config.yaml").exists():
            subprocess.run([*begin, str(killed)], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([sys.executable, "-m", "tromf", "train", "--resume", str(killed)], check=True, stdout=subprocess.DEVNULL)
        same = lines(whole) == lines(killed)
        for name in ("last.safetensors", "best.safetensors"):
            a, b = load_file(whole / name), load_file(killed / name)
            same &= a.keys() == b.keys() and all(a[key].tobytes() == b[key].tobytes() for key in a)
    print("the same weights and logs" if same else "DIFFERENT weights or logs")
    return 0 if same else 1


def lines(folder: Path) -> list[dict[str, float]]:
    """The log of a run, without the times, as far as its lines are whole."""
    try:
        text = (folder / "metrics.jsonl").read_text()
    except FileNotFoundError:
        return []
    entries = [json.loads(line) for line in text.splitlines() if line.endswith("}")]
    return [{key: value for key, value in entry.items() if key != "seconds"} for entry in entries]


if __name__ == "__main__":
    sys.exit(main())
