"""Options for pipelines: --config, --log, --stub, --verbose; completion; colour."""

import json
import os
import pty
import subprocess
import sys

import pytest

from stablek.cli import guarded
from stablek.cli.workflow import FILES
from stablek.io.store.results import multiqc

RUN = ("--drop", "group", "-k", "2:5", "--repeats", "10", "-j", "1")


def test_options_come_from_a_file_and_the_command_line_wins(table, tmp_path, call):
    config = tmp_path / "run.toml"
    config.write_text(
        'measure = "consensus"\nks = "2:4"\nrepeats = 7\ndrop = ["group"]\n'
        "json = true\n"
    )
    code, out, err = call("run", table, "--config", config)
    assert code == 0, err
    found = json.loads(out)
    assert (found["measure"], found["ks"]) == ("consensus", [2, 3, 4])
    assert found["facts"]["repeats"] == 7
    _, out, _ = call("run", table, "--config", config, "-m", "fc")
    assert json.loads(out)["measure"] == "fc"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("repeat = 7", "did you mean 'repeats'"),
        ("repeats = ", "cannot read"),
        ("[repeats]\na = 1", "is a table"),
        ('log = "x"', "unknown option"),
        ('repeats = "many"', "Invalid value for '--repeats'"),
    ],
)
def test_a_wrong_config_is_refused(table, tmp_path, call, text, message):
    config = tmp_path / "run.toml"
    config.write_text(text)
    code, _, err = call("run", table, "--config", config)
    assert code == 2
    assert message in err


def test_the_log_holds_notes_and_the_error_that_ended_the_run(table, tmp_path, call):
    log = tmp_path / "run.log"
    code, _, err = call("run", table, *RUN, "--log", log)
    assert code == 0
    assert "30 items" in log.read_text() or "30 samples" in log.read_text()
    code, _, err = call("run", table, "-k", "2:99", "--log", log)
    assert code == 2
    assert log.read_text().splitlines()[-1] in err
    assert log.read_text().strip()
    code, _, err = call("run", table, "--log", tmp_path / "no" / "x")
    assert code == 2
    assert "cannot write the log" in err


def test_a_stub_checks_everything_and_leaves_empty_files(table, tmp_path, call):
    out = tmp_path / "out"
    code, text, err = call("run", table, *RUN, "--stub", "-o", out)
    assert (code, text) == (0, ""), err
    assert {path.name: path.stat().st_size for path in out.iterdir()} == dict.fromkeys(
        FILES, 0
    )
    for wrong in (["-m", "fcc"], ["-k", "2:99"], ["--set", "repeat=3"], ["-a", "x"]):
        given = ["run", table, "--drop", "group", *wrong, "--stub", "-o", out]
        assert call(*given)[0] == 2
    assert call("run", table, *RUN, "--stub")[0] == 2


@pytest.mark.parametrize(
    "wrong",
    [
        'timeout = "nan"', 'timeout = "inf"', "seed = -1", "jobs = 100000",
        "calibrate = -3", 'memory = "much"', 'fraction = "nan"', "repeats = 0",
    ],
)  # fmt: skip
def test_a_stub_refuses_what_a_run_would(wrong, table, tmp_path, call):
    (tmp_path / "x.toml").write_text(wrong + "\n")
    given = ["run", table, *RUN[:4], "--config", tmp_path / "x.toml", "-o"]
    for more in (["--stub"], []):
        code, _, err = call(*given, tmp_path / "out", *more)
        assert code == 2, err
    assert not (tmp_path / "out").exists()


def test_a_run_leaves_what_a_stub_promises(table, tmp_path, call):
    out = tmp_path / "out"
    assert call("run", table, *RUN, "-q", "-o", out)[0] == 0
    assert all((out / name).stat().st_size for name in FILES)
    shown = json.loads((out / "stablek_mqc.json").read_text())
    ((_, row),) = shown["data"].items()
    assert (row["k"], row["measure"]) == (3, "fc")
    assert (out / "versions.yml").read_text().startswith('stablek:\n    stablek: "')


def test_multiqc_is_given_no_markup():
    text = multiqc("<img src=x>", {"answer": "<script>", "k": None})
    assert "<" not in text
    assert '"k"' not in text.split('"data"')[1]


def test_a_folder_keeps_the_options_of_the_config_and_not_the_log(table, tmp_path, cli):
    config, out = tmp_path / "c.toml", tmp_path / "out"
    config.write_text('repeats = 6\ndrop = ["group"]\nnumber-ids = true\n')
    told = ("--config", config, f"--log={tmp_path / 'l'}", "-o", out)
    assert cli("run", table, "-k", "2:4", *told)[0] == 0
    kept = json.loads((out / "run.json").read_text())["arguments"]
    assert not any("c.toml" in text or "--log" in text for text in kept)
    assert kept[-5:] == ["--repeats", "6", "--drop", "group", "--number-ids"]
    before = (out / "result.json").read_bytes()
    assert cli("resume", out)[0] == 0
    assert (out / "result.json").read_bytes() == before


@pytest.mark.parametrize("command", ["resume", "report"])
def test_a_strange_folder_cannot_make_us_write_a_log(
    table, tmp_path, call, command, monkeypatch
):
    monkeypatch.setattr(sys, "argv", ["stablek", "run", str(table), *RUN])
    out, victim = tmp_path / "out", tmp_path / "victim"
    assert call("run", table, *RUN, "-q", "-o", out)[0] == 0
    kept = json.loads((out / "run.json").read_text())
    kept["arguments"] += ["--log", str(victim), "-o", str(out)]
    (out / "run.json").write_text(json.dumps(kept))
    call(command, out)
    assert not victim.exists()


@pytest.mark.parametrize("form", [["-m", "evil.code:x"], ["-mevil:x"], ["-a=evil:x"]])
@pytest.mark.parametrize("command", ["resume", "report", "merge"])
def test_a_strange_folder_cannot_make_us_import_its_code(
    table, tmp_path, call, monkeypatch, command, form
):
    out = tmp_path / "out"
    assert call("run", table, *RUN, "-q", "-o", out)[0] == 0
    (out / "evil").mkdir()
    for name in ("evil.py", "evil/__init__.py", "evil/code.py"):
        (out / name).write_text("open('pwned', 'w')\n")
    given = ["run", str(table), *RUN, "-o", str(out), *form]
    (out / "run.json").write_text(json.dumps({"arguments": given, "folder": str(out)}))
    monkeypatch.chdir(out)
    call(command, out)
    assert not (out / "pwned").exists()


def test_a_folder_that_names_another_is_not_resumed(table, tmp_path, call, monkeypatch):
    out, other = tmp_path / "out", tmp_path / "other"
    given = ["run", str(table), *RUN, "-q", "-o", str(other)]
    monkeypatch.setattr(sys, "argv", ["stablek", *given])
    assert call(*given[:-1], out)[0] == 0
    code, _, err = call("resume", out)
    assert code == 2
    assert "was moved" in err
    assert not other.exists()


def test_verbose_tells_versions_time_and_memory(table, call):
    code, _, err = call("run", table, *RUN, "-v")
    assert code == 0
    assert "numba" in err.splitlines()[-1]
    assert "peak memory" in err.splitlines()[-1]


def complete(words):
    env = {
        **os.environ,
        "_STABLEK_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    return subprocess.run(
        [sys.executable, "-m", "stablek"], env=env, capture_output=True, text=True,
        timeout=100, check=False,
    ).stdout  # fmt: skip


def test_a_shell_completes_commands_measures_and_algorithms():
    assert complete("stablek verd") == "plain,verdict\n"
    assert "plain,gap-pc" in complete("stablek run x.tsv -m gap-")
    assert complete("stablek run x.tsv -a hier-w") == "plain,hier-w\n"


@pytest.mark.parametrize("no_color", ["", "1"])
def test_emphasis_is_for_terminals_and_not_for_those_who_decline(
    table, no_color, monkeypatch
):
    ours, theirs = pty.openpty()
    monkeypatch.setenv("NO_COLOR", no_color)
    with os.fdopen(ours, "rb", 0) as screen, os.fdopen(theirs, "w") as out:
        with monkeypatch.context() as within:
            within.setattr(sys, "stdout", out)
            assert guarded(["run", str(table), *RUN, "-q"]) == 0
            out.flush()
        text = screen.read(100_000).decode()
    assert ("\x1b[" in text) == (not no_color)
    assert "k* = 3" in text
