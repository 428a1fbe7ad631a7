"""Files of weights: what is written comes back, and what is no such file is refused in one line."""

import json

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from tromf.agents import weights
from tromf.envs import registry

GAME, _ = registry.find("mustamaija")
TENSORS = {"a": torch.arange(6.0).reshape(2, 3), "b": torch.tensor([1, 2, 3])}


@pytest.fixture
def path(tmp_path):
    target = tmp_path / "agent.safetensors"
    weights.save(target, TENSORS, weights.header_for(GAME, "net", {"units": [8, 8]}))
    return target


def test_what_is_written_comes_back(path):
    tensors, header = weights.read(path, GAME, "net")
    assert header["kind"] == "net"
    assert json.loads(header["config"]) == {"units": [8, 8]}
    assert all(torch.equal(tensors[name], TENSORS[name]) for name in TENSORS)
    assert [file.name for file in path.parent.iterdir()] == [path.name]  # nothing temporary is left


def test_shared_and_transposed_tensors_can_be_written(tmp_path):
    weights.save(tmp_path / "x.safetensors", {"a": TENSORS["a"].T, "b": TENSORS["a"]}, weights.header_for(GAME, "net", None))
    assert torch.equal(weights.read(tmp_path / "x.safetensors", GAME)[0]["a"], TENSORS["a"].T)


def test_a_truncated_file_is_refused(path):
    data = path.read_bytes()
    for length in (0, 4, 20, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:length])
        with pytest.raises(ValueError, match=r"agent\.safetensors .*truncated") as error:
            weights.read(path, GAME)
        assert "\n" not in str(error.value)


def test_a_foreign_file_is_refused(tmp_path):
    path = tmp_path / "x.safetensors"
    path.write_bytes(b"PK\x03\x04 something else entirely" * 10)
    with pytest.raises(ValueError, match="no safetensors file"):
        weights.read(path, GAME)
    save_file(TENSORS, path)
    with pytest.raises(ValueError, match="not written by tromf"):
        weights.read(path, GAME)
    np.save(tmp_path / "x.npy", np.zeros(3))
    with pytest.raises(ValueError, match="no safetensors file"):
        weights.read(tmp_path / "x.npy", GAME)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"game": "mitza"}, "made for mitza, not for mustamaija"),
        ({"layout": "0" * 16}, "another observation layout"),
        ({"format": "tromf-0"}, "not written by tromf"),
        ({"config": "{"}, "no JSON"),
        ({"kind": "sb3"}, "kind 'sb3'"),
    ],
)
def test_another_header_is_refused(tmp_path, changed, message):
    path = tmp_path / "x.safetensors"
    weights.save(path, TENSORS, weights.header_for(GAME, "net", {}) | changed)
    with pytest.raises(ValueError, match=message):
        weights.read(path, GAME, "net")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_weights_that_are_not_finite_are_refused(tmp_path, bad):
    path = tmp_path / "x.safetensors"
    weights.save(path, {"layer.bias": torch.tensor([0.0, bad])}, weights.header_for(GAME, "net", {}))
    with pytest.raises(ValueError, match=r"not finite in 'layer\.bias'"):
        weights.read(path, GAME)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no file .*nothing\.safetensors"):
        weights.read(tmp_path / "nothing.safetensors", GAME)
    with pytest.raises(FileNotFoundError, match="is a folder"):
        weights.read(tmp_path, GAME)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(path, monkeypatch):
    before = path.read_bytes()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match=r"cannot write .*agent\.safetensors: No space left on device"):
        weights.save(path, {"a": torch.zeros(5)}, weights.header_for(GAME, "net", {}))
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_weights_that_do_not_fit_a_network(path):
    tensors = {"weight": torch.zeros(3, 2), "bias": torch.zeros(3)}
    weights.load_into(nn.Linear(2, 3), tensors, path)
    with pytest.raises(ValueError, match=r"'weight' is \(3, 2\) float32, and in the network its header describes \(3, 4\) float32"):
        weights.load_into(nn.Linear(4, 3), tensors, path)
    with pytest.raises(ValueError, match="int64"):
        weights.load_into(nn.Linear(2, 3), {name: tensor.long() for name, tensor in tensors.items()}, path)
    with pytest.raises(ValueError, match="missing: bias; unknown: other"):
        weights.load_into(nn.Linear(2, 3), {"weight": tensors["weight"], "other": tensors["bias"]}, path)


def test_the_layout_hash_follows_the_layout():
    from dataclasses import replace

    assert weights.layout_hash(GAME) == weights.layout_hash(replace(GAME))
    assert weights.layout_hash(GAME) != weights.layout_hash(replace(GAME, rows=GAME.rows[:-1]))
    assert weights.layout_hash(GAME) != weights.layout_hash(replace(GAME, version=GAME.version + 1))
