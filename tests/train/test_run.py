"""Runs in folders: killed and resumed, refused and interrupted."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import torch
import yaml
from safetensors.torch import load_file
from tensorboard.backend.event_processing.event_file_loader import EventFileLoader

from tromf.train import run
from tromf.train.config import Config, LearningRate, PPOConfig


def weights(folder, name="last.safetensors"):
    return load_file(folder / name)


def same(a, b):
    return a.keys() == b.keys() and all(torch.equal(a[key], b[key]) for key in a)


def lines(folder):
    return [{k: v for k, v in json.loads(line).items() if k != "seconds"} for line in (folder / "metrics.jsonl").read_text().splitlines()]


def steps(folder):
    return [event.step for event in EventFileLoader(str(folder / run.EVENTS)).Load() if event.summary.value]


def stop_after(iterations):
    count = 0

    def report(metrics):
        nonlocal count
        count += 1
        if count == iterations:
            raise RuntimeError("stopped")

    return report


def test_files_of_a_run(tiny, tmp_path):
    best = run.start(tiny(), tmp_path / "run")
    assert {each.name for each in best.parent.iterdir()} == {
        "config.yaml", "metrics.jsonl", run.EVENTS, "checkpoint.npz", "last.safetensors", "best.safetensors", ".lock"
    }  # fmt: skip
    assert Config.model_validate(yaml.safe_load((best.parent / "config.yaml").read_text())) == tiny()
    entries = lines(best.parent)
    assert entries[-1]["decisions"] >= 3000
    assert "lost" in entries[-1]
    assert steps(best.parent) == [entry["decisions"] for entry in entries]


def test_resumed_and_uninterrupted_runs_are_the_same(tiny, tmp_path):
    run.start(tiny(), tmp_path / "whole")
    broken = tmp_path / "broken"
    with pytest.raises(RuntimeError, match="stopped"):
        run.start(tiny(checkpoint=0.0), broken, stop_after(3))
    for _ in range(2):  # what was written after the checkpoint is cut off
        with pytest.raises(RuntimeError, match="stopped"):
            run.resume(broken, tiny(), stop_after(1))
        assert len(lines(broken)) == 3
    run.resume(broken)
    for name in ("last.safetensors", "best.safetensors"):
        assert same(weights(tmp_path / "whole", name), weights(broken, name))
    assert lines(tmp_path / "whole") == lines(broken)
    assert steps(tmp_path / "whole") == steps(broken)
    assert run.resume(broken) == broken / "best.safetensors"  # it had finished: nothing happens
    assert same(weights(tmp_path / "whole"), weights(broken))


def test_killed_and_resumed(tiny, tmp_path):
    config = tmp_path / "tiny.yaml"
    config.write_text(yaml.safe_dump(tiny(decisions=20_000).model_dump(mode="json")))
    command = [sys.executable, "-m", "tromf", "train", str(config), "--out", str(tmp_path / "killed")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        metrics = tmp_path / "killed" / "metrics.jsonl"
        deadline = time.monotonic() + 100
        while process.poll() is None and time.monotonic() < deadline and not (metrics.exists() and metrics.read_bytes().count(b"\n") >= 4):
            time.sleep(0.01)
        with pytest.raises(ValueError, match="another process is training in"):
            run.resume(tmp_path / "killed")
        process.kill()
    run.resume(tmp_path / "killed")
    run.start(tiny(decisions=20_000), tmp_path / "whole")
    assert same(weights(tmp_path / "whole"), weights(tmp_path / "killed"))
    assert lines(tmp_path / "whole") == lines(tmp_path / "killed")


def test_ctrl_c_leaves_a_checkpoint(tiny, tmp_path):
    def press(metrics):
        os.kill(os.getpid(), signal.SIGINT)

    folder = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        run.start(tiny(checkpoint=1000.0), folder, press)
    before = len(lines(folder))
    assert 1 <= before <= 2
    run.resume(folder)
    run.start(tiny(), tmp_path / "whole")
    assert same(weights(tmp_path / "whole"), weights(folder))


def test_a_budget_in_minutes_fixes_its_horizon(tiny, tmp_path):
    run.start(tiny(decisions=None, minutes=0.05), tmp_path / "run")
    entries = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    assert entries[-1]["progress"] == 1.0
    rates = [entry["learning_rate"] for entry in entries]
    assert rates[0] == rates[5] == 1e-3
    assert rates[-1] < 9e-4 or len(rates) < 12


def test_what_is_refused(tiny, tmp_path):
    folder = tmp_path / "run"
    with pytest.raises(FileNotFoundError, match="holds no run"):
        run.resume(folder)
    run.start(tiny(decisions=500), folder)
    with pytest.raises(ValueError, match="already holds a run"):
        run.start(tiny(decisions=500), folder)
    with pytest.raises(ValueError, match=r"another configuration: there, ppo\.clip is 0\.2, not 0\.3"):
        run.resume(folder, tiny(decisions=500, ppo=tiny().ppo.model_copy(update={"clip": 0.3})))
    with pytest.raises(ValueError, match="mustmaija"):
        run.start(tiny(game="mustmaija"), tmp_path / "other")
    assert not (tmp_path / "other").exists()
    (folder / "metrics.jsonl").write_text("")
    with pytest.raises(ValueError, match=r"metrics\.jsonl is shorter"):
        run.resume(folder)
    data = (folder / "checkpoint.npz").read_bytes()
    for damaged in (data[:1000], b"", b"nonsense"):
        (folder / "checkpoint.npz").write_bytes(damaged)
        with pytest.raises(ValueError, match=r"checkpoint\.npz is damaged"):
            run.resume(folder)


def test_a_folder_that_cannot_be_written(tiny, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        run.start(tiny(), tmp_path / "file" / "run")


def test_learning_that_leaves_the_numbers(tiny, tmp_path):
    config = tiny(ppo=PPOConfig(segment=32, minibatch=128, learning_rate=LearningRate(start=1e30, end=1e30)))
    with pytest.raises(ValueError, match=r"failed: .* is (nan|inf); ppo.learning_rate"):
        run.start(config, tmp_path / "run")
    assert len(list((tmp_path / "run").glob("*.safetensors"))) <= 1  # the first checkpoint's


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk(tiny, tmp_path):
    folder = tmp_path / "run"
    run.start(tiny(decisions=500), folder)
    (folder / "metrics.jsonl").unlink()
    (folder / "metrics.jsonl").symlink_to("/dev/full")
    with (
        run.Logs(folder, {run.METRICS: 0, run.EVENTS: 0}) as logs,
        pytest.raises(OSError, match=r"cannot write .*metrics\.jsonl: No space"),
    ):
        logs.write({"decisions": 1})


def test_checkpoints_hold_no_pickles(tiny, tmp_path):
    run.start(tiny(decisions=500), tmp_path / "run")
    with np.load(tmp_path / "run" / "checkpoint.npz", allow_pickle=False) as file:
        assert {"states", "table", "about", "network/policy.weight", "average/policy.weight", "adam/0/exp_avg"} <= set(file.files)
