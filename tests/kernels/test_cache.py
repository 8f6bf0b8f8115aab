"""Compiled code on disk may be damaged: that costs time, and no run."""

import importlib.util
import logging
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from stablek.kernels import cache
from stablek.kernels.jit import kernel

pytestmark = pytest.mark.skipif(
    numba.config.DISABLE_JIT, reason="nothing is compiled: NUMBA_DISABLE_JIT is set"
)

DAMAGES = {
    "empty": lambda sound: b"",
    "cut short": lambda sound: sound[: len(sound) // 2],
    "random": lambda sound: np.random.default_rng(0).bytes(len(sound)),
    "one bit": lambda sound: sound[:-9] + bytes([sound[-9] ^ 1]) + sound[-8:],
    "a pickle": lambda sound: pickle.dumps("0.0.0"),
}


@pytest.fixture
def function(tmp_path, monkeypatch):
    """Return a function of a file of its own, whose compiled code is kept there."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "compiled"))
    monkeypatch.setattr(cache, "_said", [])
    file = tmp_path / "twice.py"
    file.write_text("def twice(a):\n    return 2 * a\n")
    spec = importlib.util.spec_from_file_location("twice", file)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "twice", module)  # as numba wants it
    spec.loader.exec_module(module)
    return module.twice


def called(function):
    """Call a new kernel; return what was read from disk, and where that is."""
    made = kernel(function)
    assert made(21) == 42
    stats = made.stats
    return sum(stats.cache_hits.values()), Path(stats.cache_path)


def test_what_was_compiled_is_read_again(function, caplog):
    assert called(function)[0] == 0
    assert called(function)[0] == 1
    assert not caplog.records


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_compiled_again(function, caplog, suffix, damage):
    _, folder = called(function)
    (file,) = folder.glob(f"*.{suffix}")
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    with caplog.at_level(logging.WARNING, "stablek"):
        assert called(function)[0] == 0
    (record,) = caplog.records
    message = record.getMessage()
    assert str(folder) in message
    assert "compiled again" in message
    assert called(function)[0] == 1  # and mended


def test_code_of_another_numba_is_passed_over_in_silence(function, caplog, monkeypatch):
    called(function)
    monkeypatch.setattr(numba, "__version__", "0.0.0")
    assert called(function)[0] == 0
    assert not caplog.records


def test_a_folder_that_takes_nothing_sinks_no_call(function, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache.CheckedFile, "save", full)
    assert called(function)[0] == 0


def test_kernels_can_be_interpreted():
    code = (
        "import numpy as np\n"
        "from stablek.kernels.comembership import consensus_matrix\n"
        "from stablek.kernels.histogram import pair_histogram\n"
        "from stablek.kernels.nearest import assign_nearest\n"
        "x = np.array([[0, 0, 1], [0, 1, 255]], np.uint8)\n"
        "from stablek.kernels.helper import first_start_note\n"
        "print(consensus_matrix(x)[0, 1], pair_histogram(x)[2, 1])\n"
        "print(assign_nearest(np.arange(4.0)[:, None], np.array([[0.0], [3.0]])))\n"
        "print(first_start_note())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    numbers, labels, note = done.stdout.splitlines()
    assert (numbers, labels) == ("0.5 1", "[0 0 1 1]")
    assert note.startswith("NUMBA_DISABLE_JIT is set")
