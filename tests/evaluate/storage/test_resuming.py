"""Evaluations that keep their games: as Parquet, and so that they can be interrupted."""

import errno
import gc
import json
import shutil

import numpy as np
import pytest
from pyarrow import parquet

from tests.evaluate.test_blocks import Forgetful
from tromf import evaluate
from tromf.evaluate.outcome import FIELDS, Outcome
from tromf.evaluate.reports import report
from tromf.evaluate.storage import parquet as parquet_file
from tromf.evaluate.storage import spans, unfinished

SPECS = ["journeyman", "beginner", "random"]


def play(folder, **how):
    how = {"blocks": 40, "seed": 3, "players": 3, "batch": 30, "sample": 2} | how
    return evaluate.pairs("mustamaija", SPECS, out=folder, **how)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The result of an evaluation that was not interrupted, and its folder."""
    folder = tmp_path_factory.mktemp("whole")
    result = play(folder)
    report.write(result, folder, "Whole", command="tromf evaluate …")
    return result, folder


def test_games_are_kept_as_parquet(whole):
    result, folder = whole
    table = parquet.read_table(folder / "blocks.parquet")
    assert table.column_names == ["match", "block", "seating", "seat", "agent", "return", "lost", "cut_off", "decisions"]
    rows = {name: table[name].to_numpy() for name in table.column_names if name != "agent"} | {
        "agent": np.array(table["agent"].to_pylist())
    }
    assert len(table) == 6 * 40 * 3 * 3
    assert (rows["match"] * 360 + rows["block"] * 9 + rows["seating"] * 3 + rows["seat"] == np.arange(len(table))).all()
    for match, row in enumerate(result.rows):
        mine = (rows["match"] == match) & (rows["agent"] == row.agent)
        assert rows["return"][mine].mean() == pytest.approx(row.mean.value)
        assert rows["lost"][mine].mean() == pytest.approx(row.loss.value)
        assert rows["decisions"][rows["match"] == match].mean() == pytest.approx(row.decisions)
        assert set(rows["agent"][rows["match"] == match]) == {row.agent, row.against}
    settings = json.loads(parquet.read_schema(folder / "blocks.parquet").metadata[b"tromf"])
    assert (settings["blocks"], settings["seed"], settings["agents"]) == (40, 3, SPECS)
    assert len(settings["seatings"]) == 6


class Stop(Exception):
    """Something that comes in between."""


@pytest.mark.parametrize("after", [1, 500, 700])
@pytest.mark.parametrize("killed", [False, True], ids=["interrupted", "killed"])
def test_an_interrupted_evaluation_goes_on_with_the_same_result(after, killed, whole, tmp_path, monkeypatch):
    folder = tmp_path / "report"
    left = tmp_path / "killed" if killed else folder
    if killed:
        monkeypatch.setattr(spans, "SECONDS", 0)

    def interrupt(ended, total):
        if ended >= after:
            if killed:  # what lies in the folder now is all that is left
                shutil.copytree(folder, left)
            raise Stop

    with pytest.raises(Stop):
        play(folder, progress=interrupt)
    assert not (left / "blocks.parquet").exists()
    told = []
    again = play(left, threads=1, batch=7, progress=lambda *games: told.append(games))
    assert not told or told[0][0] > after
    report.write(again, left, "Whole", command="tromf evaluate …")
    result, finished = whole
    assert again.to_json() == result.to_json()
    for name in ("blocks.parquet", "result.json"):
        assert (left / name).read_bytes() == (finished / name).read_bytes()
    assert not (left / "unfinished").exists()
    assert not list(left.glob(".*"))  # not even the table that a killed process had begun


def test_a_disk_that_fills_up_is_one_error(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(parquet_file.Writer, "write", full)
    monkeypatch.setattr(spans.Spans, "flush", full)
    with pytest.raises(OSError, match="No space left on device"):
        play(tmp_path)
    gc.collect()  # an exception in a generator that nobody closed would be printed here, and fail the test


def test_an_evaluation_of_other_settings_is_not_gone_on_with(tmp_path):
    def stop(*_):
        raise Stop

    with pytest.raises(Stop):
        play(tmp_path, progress=stop)
    for other in ({"blocks": 41}, {"seed": 4}, {"scoring": "placing"}):
        with pytest.raises(ValueError, match=rf"unfinished evaluation with other settings \({'|'.join([*other, 'options'])}") as caught:
            play(tmp_path, **other)
        assert "\n" not in str(caught.value)
    assert play(tmp_path, blocks=41, overwrite=True).blocks == 41


def test_a_folder_with_something_in_it_is_refused(whole, tmp_path):
    _, folder = whole
    (tmp_path / "letter.txt").write_text("Dear …")
    for full in (folder, tmp_path):
        with pytest.raises(ValueError, match=r"exists and is not empty: choose another folder, or .* --overwrite"):
            play(full)
    play(tmp_path, overwrite=True)
    assert (tmp_path / "letter.txt").read_text() == "Dear …"


def test_an_agent_whose_file_has_changed_is_another_one(tmp_path):
    path = tmp_path / "agent.safetensors"
    setting = evaluate.Setting("mustamaija", SPECS, None, {})
    setting.names.append(f"{path},greedy=true")
    told = []
    for content in (b"one", b"other", b"one"):
        path.write_bytes(content)
        told.append(setting.described([], 1, 0, None)["agents"][-1])
    assert told[0] == told[2] != told[1]


def test_agents_that_remember_are_played_in_whole_games(tmp_path):
    alone = evaluate.pairs("mustamaija", [Forgetful(), "random"], blocks=12, seed=1, players=3)
    kept = evaluate.pairs("mustamaija", [Forgetful(), "random"], blocks=12, seed=1, players=3, batch=10, out=tmp_path, sample=0)
    assert kept.to_json() == alone.to_json()


@pytest.mark.parametrize(
    ("played", "gaps"),
    [([], [(2, 9)]), ([(2, 9)], []), ([(3, 5)], [(2, 3), (5, 9)]), ([(7, 9), (2, 4)], [(4, 7)]), ([(0, 4), (3, 6)], [(6, 9)])],
)
def test_what_is_missing(played, gaps):
    assert spans.missing(played, 2, 9) == gaps


def test_spans_are_found_again(tmp_path):
    rng = np.random.default_rng(0)
    outcome = Outcome.blank(np.array([[0, 1], [1, 0]]), 10)
    outcome.returns[:] = rng.normal(size=outcome.returns.shape)
    kept = spans.Spans(tmp_path)
    for first, end in ((0, 3), (6, 10)):
        part = Outcome(outcome.seatings, *(getattr(outcome, field)[first:end] for field in FIELDS))
        kept.add(4, (100 + first, 100 + end), part)
        kept.flush()
    found = spans.Spans(tmp_path)
    assert (found.played(4), found.played(3)) == ([(100, 103), (106, 110)], [])
    again = Outcome.blank(outcome.seatings, 10)
    found.fill(4, again, 100)
    assert (again.returns[:3] == outcome.returns[:3]).all()
    assert (again.returns[3:6] == 0).all()
    assert (again.returns[6:] == outcome.returns[6:]).all()


@pytest.mark.parametrize("damage", ["text", "empty", "torn", "turned", "foreign"])
def test_damaged_spans_are_named_in_one_line(damage, tmp_path):
    outcome = Outcome.blank(np.array([[0, 1], [1, 0]]), 10)
    kept = spans.Spans(tmp_path)
    kept.add(0, (0, 10), outcome)
    kept.flush()
    (path,) = tmp_path.glob("*.npz")
    whole = path.read_bytes()
    damaged = {"text": b"half", "empty": b"", "torn": whole[: len(whole) // 2], "turned": whole[:45] + b"\xff" * 40 + whole[85:]}
    if damage == "foreign":
        np.savez_compressed(path, weights=np.zeros(3))
    else:
        path.write_bytes(damaged[damage])
    with pytest.raises(ValueError, match=r"spans-000000.npz cannot be read \(.*: remove it") as caught:
        spans.Spans(tmp_path).fill(0, outcome, 0)
    assert "\n" not in str(caught.value)


def test_the_folder_of_a_report_that_is_written_at_once_is_left_alone(tmp_path):
    unfinished.end(tmp_path)
    (tmp_path / "unfinished").mkdir()
    unfinished.end(tmp_path)
    assert (tmp_path / "unfinished").exists()


def test_tables_and_games_are_the_same_bytes_whatever_plays_them(tmp_path):
    from tests.evaluate.test_blocks import small_network

    found = set()
    for threads, batch in ((1, 8), (1, 50), (1, 4096), (2, 8), (2, 50), (2, 4096)):
        folder = tmp_path / f"{threads} {batch}"
        crew = [small_network(), "journeyman", "random"]
        result = evaluate.pairs("mustamaija", crew, blocks=14, seed=2, threads=threads, batch=batch, out=folder, sample=2)
        found.add((json.dumps(result.to_json()), (folder / "blocks.parquet").read_bytes()))
    assert len(found) == 1
