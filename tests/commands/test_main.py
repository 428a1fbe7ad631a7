"""The command line as a whole: exit codes, errors of one line, help, Ctrl-C, and outputs that cannot be written."""

import errno
import os
import shlex
import signal
import stat
import subprocess
import sys
import time

import pydantic
import pytest

from tromf import __version__
from tromf.__main__ import COMMANDS, errors_as_lines, main, message
from tromf.commands import common
from tromf.envs import record, registry
from tromf.envs.files import write_whole, written_whole


def run(capsys, *arguments):
    """The exit code, stdout and stderr of a command line, run in this process."""
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    code = exit_.value.code or 0
    return code, *capsys.readouterr()


def start(*arguments, **how):
    return subprocess.Popen([sys.executable, "-m", "tromf", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)


BAD = {
    "unknown game": ("games mustamaia", "did you mean 'mustamaija'"),
    "unknown variant": ("evaluate mustamaija random beginner --variant six-cards", "did you mean 'six-card'"),
    "two variants": ("evaluate six-card random beginner --variant house", "give one of them"),
    "unknown option": ("evaluate mustamaija random beginner --option hand=5", "no option 'hand'"),
    "option without a value": ("evaluate mustamaija random beginner --option hand_size", "not of the form key=VALUE"),
    "option that is not YAML": ("evaluate mustamaija random beginner --option pack=[QS", "is not YAML"),
    "option that is a date there is not": ("evaluate mustamaija random beginner --option players=2026-13-45", "'2026-13-45' is not YAML"),
    "knob that is a date there is not": ("evaluate mustamaija random expert,take=2026-13-45", "'2026-13-45' is no YAML value"),
    "option of a wrong type": ("evaluate mustamaija random beginner --option hand_size=five", "accepted are 5, 3 or 6"),
    "option out of range": ("evaluate mustamaija random beginner --option attack_limit=14", "None or 1 … 13"),
    "nine players": ("evaluate mustamaija random beginner --players 9", "2 … 6"),
    "unknown agent": ("evaluate mustamaija random exprt", "did you mean 'expert'"),
    "unknown knob": ("evaluate mustamaija random expert,hord=1", "hord"),
    "missing file": ("evaluate mustamaija random nowhere.safetensors", "nowhere.safetensors"),
    "unwritable file": ("games --json /dev/null/games.json", "/dev/null"),
    "unknown configuration": ("train mustamaija/pp", "mustamaija/pp"),
    "unknown record": ("replay nowhere.jsonl", "nowhere.jsonl"),
    "unknown setting": ("bench --settings mustamaija", "no setting 'mustamaija'"),
    "setting that cannot be played": ("bench --settings mustamaija-9p", "2 … 6"),
    "no README": ("bench --readme", "README.md: No such file"),
    "minutes below zero": ("demo --minutes -1", "-1"),
    "minutes without end": ("demo --minutes inf", "--minutes is inf"),
    "no argument": ("evaluate mustamaija", "AGENT"),
    "no such command": ("gams", "games"),
    "no such flag": ("games --foo", "--foo"),
    "number of a wrong type": ("evaluate mustamaija random beginner --deals x", "--deals"),
    "number out of range": ("evaluate mustamaija random beginner --threads 0", "--threads"),
    "pause without end": ("play mustamaija --delay inf", "--delay"),
    "no configuration": ("train .", "no configuration '.'"),
    "empty names": ("games ''", "no game"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_exit_code_2(case, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line, expected = BAD[case]
    code, _, err = run(capsys, *shlex.split(line))
    assert code == 2
    assert expected in err
    assert err.startswith("tromf: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command, capsys):
    code, out, _ = run(capsys, command, "--help")
    assert code == 0
    assert f"tromf {command}" in out


def test_help_lists_every_command(capsys):
    code, out, _ = run(capsys, "--help")
    assert code == 0
    for command in COMMANDS:
        assert f" {command} " in out


def test_wrong_usage_exits_with_2(capsys):
    assert run(capsys, "gams")[0] == run(capsys, "games", "--foo")[0] == run(capsys, "bench", "--rounds", "0")[0] == 2


def test_version(capsys):
    assert run(capsys, "--version") == (0, f"tromf {__version__}\n", "")


def test_python_dash_m_is_the_same_as_the_script():
    process = start("games", "nothing")
    assert process.communicate() == ("", f"tromf: no game 'nothing': there are {', '.join(registry.names())}\n")
    assert process.returncode == 2


def test_help_is_fast_because_it_loads_nothing_heavy():
    program = "import sys; from tromf.__main__ import _application; _application([]); print({'numba', 'torch', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("seconds", [0.2, 1.5])
def test_ctrl_c_is_one_line_and_exit_code_130_while_importing_and_compiling(seconds, tmp_path):
    program = "from tromf.__main__ import main; print('begun', flush=True); main()"
    command, environment = [sys.executable, "-c", program, "warm"], os.environ | {"TROMF_CACHE": str(tmp_path)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        assert process.stdout.readline() == "begun\n"  # however long Python itself takes to start, when Ctrl-C is not yet ours
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()  # or, where this fails, it would compile on beside other tests
    assert (process.returncode, err) == (130, "tromf: interrupted\n")


CTRL_C_IN = {
    "a library that turns it into something else": """
def command():
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise ImportError("half an import")
""",
    "a library that loses it": """
def command():
    try:
        signal.raise_signal(signal.SIGINT)
    except:
        pass
    time.sleep(60)
""",
    "a destructor": """
class Dying:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

def command():
    Dying()
    time.sleep(60)
""",
    "an import, which is finished before": """
sys.path.insert(0, os.getcwd())

def command():
    import tidying
    time.sleep(60)
""",
    "work with things to tidy up, which are": """
def command():
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        time.sleep(0.5)
        print("tidy")
""",
    "work that takes long to tidy up, twice": """
def command():
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        print("tidy")
        signal.raise_signal(signal.SIGINT)
        time.sleep(60)
""",
}


@pytest.mark.parametrize("place", CTRL_C_IN)
def test_ctrl_c_is_never_lost_nor_comes_where_it_does_harm(place, tmp_path):
    (tmp_path / "tidying.py").write_text("import signal, time\nsignal.raise_signal(signal.SIGINT)\ntime.sleep(0.5)\nprint('tidy')\n")
    program = f"""
import os, signal, sys, time
from tromf import __main__
{CTRL_C_IN[place]}
__main__._application = lambda arguments: lambda arguments, **how: command()
sys.argv = ["tromf"]
__main__.main()
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=50)
    assert (done.returncode, done.stderr) == (130, "tromf: interrupted\n")
    assert done.stdout == ("tidy\n" if "tidy" in program else "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_is_one_line():
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([sys.executable, "-m", "tromf", "games"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "tromf: No space left on device\n")


def test_a_reader_that_goes_away_is_no_error_worth_a_word():
    process = start("games")
    assert process.stdout
    process.stdout.close()
    assert process.stderr
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() == 1


def test_closed_stdout():
    done = subprocess.run([sys.executable, "-m", "tromf", "games"], stderr=subprocess.PIPE, preexec_fn=lambda: os.close(1), check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_bugs_keep_their_traceback():
    with pytest.raises(ZeroDivisionError), errors_as_lines():
        _ = 1 / 0


def test_tracebacks_on_demand(monkeypatch):
    monkeypatch.setenv("TROMF_TRACEBACK", "1")
    with pytest.raises(ValueError, match="bad"), errors_as_lines():
        raise ValueError("bad")


def test_messages_are_one_line():
    class Model(pydantic.BaseModel):
        number: int
        other: float

    with pytest.raises(pydantic.ValidationError) as found:
        Model(number="x", other="y")
    assert message(found.value).startswith("number: Input should be a valid integer")
    assert "\n" not in message(found.value)
    assert message(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "x.json")) == "x.json: No space left on device"
    assert message(ValueError("two\n  lines")) == "two lines"
    assert message(MemoryError()) == "MemoryError"


def test_a_setting_is_a_game_a_variant_and_options():
    game, variant, options = common.find_setting("three-card-declared", None, 8, ["scoring=placing", "attack_limit=null"])
    assert (game.name, variant, options) == (
        "mustamaija",
        "three-card-declared",
        {"scoring": "placing", "attack_limit": None, "players": 8},
    )
    assert common.find_setting("Mustamaija")[1:] == ("standard", {})
    for words in (("101",), ("mitza", "101")):
        assert common.find_setting(*words, option=["players=6", "removed=[8D, 8H]"])[1] == "101"
    assert common.find_setting("mustamaija", None, 2, ["pack=7"])[2] == {"pack": "7", "players": 2}
    with pytest.raises(ValueError, match="--players is 3, and --option says players=4"):
        common.find_setting("mustamaija", None, 3, ["players=4"])
    with pytest.raises(ValueError, match="'pack' is given twice"):
        common.find_setting("mustamaija", None, None, ["pack=7", "pack=8"])


def test_files_are_written_whole(tmp_path):
    path = tmp_path / "new" / "figures.json"
    common.write_json(path, {"a": 1})
    with pytest.raises(TypeError):
        common.write_json(path, {"a": object()})
    assert path.read_text(encoding="utf-8") == '{\n  "a": 1\n}\n'
    assert [each.name for each in path.parent.iterdir()] == ["figures.json"]
    with pytest.raises(OSError, match=r"cannot write .*new: Is a directory"):
        common.write_json(path.parent, {})


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
@pytest.mark.parametrize("writer", ["command", "evaluation", "record"])
def test_pipes_and_devices_are_written_to_and_never_replaced(writer, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(
        [sys.executable, "-c", "import sys; print(open(sys.argv[1]).read())", pipe], stdout=subprocess.PIPE, text=True
    )
    if writer == "command":
        write_whole(pipe, "text")
    elif writer == "evaluation":
        with written_whole(pipe) as path:
            path.write_text("text", encoding="utf-8")
    else:
        record.write(pipe, [], append=False)
    assert reader.communicate(timeout=20)[0].strip() == ("" if writer == "record" else "text")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]
