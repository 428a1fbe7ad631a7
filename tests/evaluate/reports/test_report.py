"""Reports: what stands in the folder, and how it is put there."""

import dataclasses
import io
import json

import pytest
from rich.console import Console

from tests.pages import whole_page
from tromf import evaluate
from tromf.envs.files import written_whole
from tromf.evaluate.blocks import play_matches
from tromf.evaluate.reports import learning, plots, report
from tromf.evaluate.reports.page import Code, Section, Table
from tromf.evaluate.seatings import one_among
from tromf.evaluate.statistics import multiple


@pytest.fixture(scope="module")
def three():
    return evaluate.pairs("mustamaija", ["journeyman", "beginner", "random"], blocks=40, seed=1)


def is_picture(path):
    return path.read_bytes().startswith(b"\x89PNG")


def test_a_report_holds_tables_plots_and_how_it_was_made(three, tmp_path):
    path = report.write(three, tmp_path / "new" / "folder", "Three rule players", command="tromf evaluate …", notes=["A note."])
    text = path.read_text()
    assert path.name == "report.md"
    for wanted in (
        "# Three rule players",
        "A note.",
        "40 deal blocks, seed 1",
        "fair: 25.0 %",
        "tromf evaluate …",
        "numpy ",
        "Golden helmets",
    ):
        assert wanted in text
    assert three.row("beginner", "journeyman").loss.percent() in text
    assert three.row("beginner", "journeyman").mean.text() in text
    folder = path.parent
    pictures = {each.name for each in folder.glob("*.png")}
    assert pictures == {"losses.png", "cross.png", "places.png", "lengths.png"}
    assert all(is_picture(folder / each) and f"({each})" in text for each in pictures)
    assert json.loads((folder / "result.json").read_text()) == json.loads(json.dumps(three.to_json()))
    assert {each.name for each in folder.iterdir()} == {*pictures, "report.md", "report.html", "result.json"}


def test_ratings_stand_beside_what_they_cannot_say(three, tmp_path):
    text = report.write(three, tmp_path / "report", "Three").read_text()
    assert list(three.ratings.ratings) == ["journeyman", "beginner", "random"]
    assert three.ratings.model == "loser"
    assert "## Ratings" in text
    assert "## Is there one order?" in text
    assert "They agree with the ratings." in text
    two = evaluate.pairs("mustamaija", ["journeyman", "beginner"], blocks=10, seed=1)
    assert two.ratings is None
    assert "## Ratings" not in report.write(two, tmp_path / "two", "Two").read_text()


def test_p_values_of_differences_are_corrected(three):
    raw = [multiple.p_value(values) for values in differences_of(three)]
    assert [each.p for each in three.differences] == pytest.approx(multiple.holm(raw))
    assert "p (Holm):" in report.differences(report.Context(three, None, None, "")).pieces[1].headings


def differences_of(result):
    """The values by block behind the differences of a result, from the games played again."""
    setting = evaluate.Setting("mustamaija", result.agents, None, {})
    seatings = {(a, b): one_among(a, b, 4) for a in range(3) for b in range(3) if a != b}
    played = play_matches(setting.game, setting.blank, list(seatings.values()), setting.agents, result.blocks, 1)
    values = {pair: outcome.of_agent(pair[0], outcome.returns) for pair, outcome in zip(seatings, played)}
    for each in result.differences:
        a, b, c = (result.agents.index(name) for name in (each.better, each.against, each.worse))
        yield values[a, b] - values[c, b]


def test_how_many_deals_it_would_take(three):
    row = three.row("beginner", "journeyman")
    assert row.needed > three.blocks
    assert f"told from 0 with {max(each.needed or 0 for each in three.rows):,} deal blocks" in " ".join(shown(three).split())


def shown(result):
    console = Console(width=200, file=io.StringIO())
    console.print(report.terminal(result))
    return console.file.getvalue()


def test_the_page_of_html_holds_everything_and_loads_nothing(three, tmp_path):
    table = Table(["a", "b:"], [["x|y", "1"], ["`a*b*`", "<2>"]])
    more = [Section("Later <sections>", ["`code **here**` & **text**", table])]
    report.write(three, tmp_path, "Three <rule> players", command="tromf evaluate 'a & b'", notes=[Code("x < y")], more=more)
    page = whole_page(tmp_path, table, report.differences_table(three), report.ratings_table(three, three.ratings))
    assert len(page.loads) == 4
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<code>code **here**</code> &amp; <strong>text</strong>" in html
    said = " ".join(page.texts)
    for wanted in ("Three <rule> players", "tromf evaluate 'a & b'", "x < y", "Later <sections>", "x|y", "Where one sits", "seed 1"):
        assert wanted in said
    assert three.row("beginner", "journeyman").loss.percent() in said
    assert "x\\|y" in (tmp_path / "report.md").read_text()


def test_an_evaluation_with_a_report_also_says_how_play_differs(tmp_path):
    result = evaluate.pairs("mustamaija", ["journeyman", "beginner"], blocks=30, out=tmp_path, deal_set="mustamaija-1")
    assert (result.sampled, result.deal_set) == (10, "mustamaija-1")
    text = report.write(result, tmp_path, "Two").read_text()
    for wanted in ("How play differs", "takes though able", "Decision times", "blocks.parquet", "deal set `mustamaija-1`"):
        assert wanted in text
    assert is_picture(tmp_path / "habits.png")


def test_who_sees_all_cards_is_marked_everywhere(three, tmp_path):
    from rich.console import Console

    cheating = dataclasses.replace(three, cheats=("beginner",))
    assert cheating.to_json()["cheats"] == ["beginner"]
    text = report.write(cheating, tmp_path, "Cheats").read_text()
    assert "`beginner` (sees all cards)" in text
    assert "`beginner` sees all cards" in text
    assert "journeyman` (sees" not in text
    console = Console(width=140, record=True, file=io.StringIO())
    console.print(report.terminal(cheating))
    assert "beginner (sees all cards)" in console.export_text()
    labels = [label.get_text() for label in plots.cross(cheating).axes[0].get_yticklabels()]
    assert labels == ["journeyman", "beginner (sees all cards)", "random"]


def test_of_many_agents_there_is_no_plot_of_single_figures(three, tmp_path):
    many = dataclasses.replace(three, rows=three.rows * 5)
    assert "(losses.png)" not in report.write(many, tmp_path, "Many").read_text()


def test_a_table_has_a_report_too(tmp_path):
    result = evaluate.table("mustamaija", ["journeyman", "random", "random"], blocks=10, players=3)
    assert "in all rotations of its only order round the table" in report.write(result, tmp_path, "A table").read_text()


def test_a_report_is_written_over_an_older_one(three, tmp_path):
    report.write(three, tmp_path, "First")
    assert "# Second" in report.write(three, tmp_path, "Second").read_text()


def test_the_training_curve_of_a_run(three, tmp_path):
    metrics = tmp_path / "metrics.jsonl"
    lines = [{"decisions": 1000 * k, "minutes": k / 6, "lost": 0.5 - k / 100, "lost_sampling/journeyman": 0.4 - k / 100} for k in range(5)]
    metrics.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"decisions": 50')
    assert len(learning.read_metrics(metrics)) == 5
    text = report.write(three, tmp_path / "report", "Trained", metrics=metrics).read_text()
    assert "(training.png)" in text
    assert is_picture(tmp_path / "report" / "training.png")


def test_a_run_without_evaluations_has_no_curve(tmp_path):
    metrics = tmp_path / "metrics.jsonl"
    metrics.write_text('{"decisions": 10, "entropy": 1.0}\n')
    assert learning.training_curve(metrics, 4) is None
    with pytest.raises(FileNotFoundError):
        learning.training_curve(tmp_path / "none.jsonl", 4)


def test_plots_have_units_and_intervals(three):
    (axes,) = plots.losses(three).axes
    assert "%" in axes.get_xlabel()
    assert "95 % interval" in axes.get_xlabel()
    (axes,) = plots.means(three).axes
    assert "mean return" in axes.get_xlabel()
    cells = [text.get_text() for text in plots.cross(three).axes[0].texts]
    assert len(cells) == 6
    assert all("[" in cell for cell in cells)


def test_long_names_keep_their_end():
    assert plots.short("x" * 100 + "best.safetensors").endswith("best.safetensors")
    assert len(plots.short("x" * 100)) == 36


def test_markdown_tables_align_numbers_to_the_right():
    assert Table(["who", "how much:"], [["a|b", "1"]]).markdown() == "| who | how much |\n| --- | ---: |\n| a\\|b | 1 |"


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "a" / "b.txt"
    with written_whole(path) as beside:
        beside.write_text("old")
    with pytest.raises(TypeError), written_whole(path) as beside:
        beside.write_text(b"half")
    assert path.read_text() == "old"
    assert [each.name for each in path.parent.iterdir()] == ["b.txt"]


def test_an_error_names_the_file_the_user_knows(tmp_path):
    path = tmp_path / "report.md"
    path.mkdir()
    with pytest.raises(OSError, match=r"cannot write .*report\.md: Is a directory"), written_whole(path) as beside:
        beside.write_text("text")
    assert list(tmp_path.iterdir()) == [path]
