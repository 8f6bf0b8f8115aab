"""The modules for workflow managers fit the command line; Snakemake's is executed."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from blobs import blobs

from stablek.cli.run import command
from stablek.cli.workflow import FILES

CONTRIB = Path(__file__).resolve().parents[2] / "contrib"
SNAKEMAKE = CONTRIB / "snakemake"
MODULE = CONTRIB / "nf-core" / "stablek" / "run"
OPTIONS = {text for param in command.params for text in param.opts}


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a table, and a command named stablek on its own path."""
    (tmp_path / "data").mkdir()
    rows = "\n".join("\t".join(map(repr, row.tolist())) for row in blobs(30, 3))
    (tmp_path / "data" / "small.tsv").write_text(f"a\tb\tc\n{rows}\n")
    wrapper = tmp_path / "bin" / "stablek"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\nexec {sys.executable} -m stablek "$@"\n')
    wrapper.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("file", [SNAKEMAKE / "stablek.smk", MODULE / "main.nf"])
def test_every_flag_is_an_option_and_every_output_a_file_of_a_run(file):
    text = file.read_text()
    commands = [line for line in text.splitlines() if "stablek run" in line]
    assert commands
    shell = text[text.index("stablek run") :]
    flags = set(re.findall(r"(?<![\w-])--[a-z]+", shell)) | {"-o"}
    assert flags <= OPTIONS
    named = {name for name in re.findall(r"\}/([\w.]+)\"", text) if "." in name}
    assert named
    assert named - {"environment.yml"} <= set(FILES)


def test_the_module_describes_each_of_its_outputs():
    import yaml  # dask brings it

    meta = yaml.safe_load((MODULE / "meta.yml").read_text())
    yaml.safe_load((MODULE / "environment.yml").read_text())
    emitted = re.findall(r"emit: (\w+)", (MODULE / "main.nf").read_text())
    assert list(meta["output"]) == emitted
    assert meta["name"] == "stablek_run"


def script_of(part):
    """Return the shell of main.nf's script or stub, with its variables filled in."""
    text = (MODULE / "main.nf").read_text()
    body = text[text.index(f"{part}:") :].split('"""')[1]
    filled = {
        "table": "data/small.tsv", "args": "-k 2:4 --repeats 8", "task.cpus": "1",
        "memory": "--memory 2G", "prefix": "sample",
    }  # fmt: skip
    return re.sub(r"\$\{([\w.]+)\}", lambda found: filled[found[1]], body)


@pytest.mark.parametrize("part", ["script", "stub"])
def test_the_commands_of_the_module_leave_its_outputs(folder, part):
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script_of(part)], cwd=folder, check=True,
        env={**os.environ, "PATH": path}, timeout=200, capture_output=True,
    )  # fmt: skip
    sizes = {name: (folder / "sample" / name).stat().st_size for name in FILES}
    assert all(sizes.values()) if part == "script" else not any(sizes.values())


def test_the_version_is_one_line_that_nextflow_can_take(folder):
    done = subprocess.run(
        ["bash", "-c", "stablek --version | sed 's/stablek //'"], cwd=folder,
        env={**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"},
        capture_output=True, text=True, check=True, timeout=100,
    )  # fmt: skip
    assert re.fullmatch(r"\d+\.\d+\.\d+\w*\n", done.stdout)


def test_snakemake_runs_the_example(folder):
    if shutil.which("snakemake") is None:  # then what it would run is looked at
        rule = (SNAKEMAKE / "stablek.smk").read_text()
        assert "stablek run {input}" in rule
        assert {"input:", "output:", "log:"} <= set(rule.split())
        return
    subprocess.run(
        [
            "snakemake", "-s", str(SNAKEMAKE / "Snakefile"), "-d", str(folder),
            "--cores", "1", "--config", 'stablek={"args": "-k 2:4 --repeats 8"}',
        ],
        env={**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"},
        check=True, timeout=280, capture_output=True,
    )  # fmt: skip
    found = json.loads((folder / "results" / "small" / "result.json").read_text())
    assert found["k_star"] == 3
    assert (folder / "logs" / "stablek" / "small.log").is_file()


def test_multiqc_shows_the_verdict(folder, tmp_path):
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    how = {"cwd": folder, "check": True, "timeout": 280, "capture_output": True}
    given = ["stablek", "run", "data/small.tsv", "-k", "2:4", "--repeats", "8"]
    subprocess.run([*given, "-o", "out"], env={**os.environ, "PATH": path}, **how)
    told = json.loads((folder / "out" / "stablek_mqc.json").read_text())
    (name,) = told["data"]
    assert told["plot_type"] == "table"
    assert told["data"][name]["k"] == 3
    if shutil.which("multiqc") is None:  # then what it would read was looked at
        return
    subprocess.run(
        ["multiqc", "out", "--no-version-check", "--no-ai", "-o", "qc", "-q"],
        env={**os.environ, "HOME": str(tmp_path)}, **how,
    )  # fmt: skip
    shown = (folder / "qc" / "multiqc_report.html").read_text(encoding="utf-8")
    assert told["section_name"] in shown
    tables = list((folder / "qc" / "multiqc_data").glob("*stablek*"))
    assert any(name in table.read_text(encoding="utf-8") for table in tables), tables
