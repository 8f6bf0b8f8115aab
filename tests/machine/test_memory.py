"""What a process holds is read from its own mark, not from its parent's."""

import subprocess
import sys

import pytest

from stablek.machine.memory import peak_memory

CHILD = "from stablek.machine.memory import peak_memory; print(peak_memory())"
PARENT = f"""
import subprocess, sys
held = b"x" * 400_000_000
print(subprocess.check_output([sys.executable, "-c", {CHILD!r}], text=True))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads Linux's own mark")
def test_a_child_of_a_large_process_is_small():
    out = subprocess.check_output([sys.executable, "-c", PARENT], text=True)
    assert int(out) < 200_000_000


def test_the_peak_is_what_was_held_once_however_it_is_asked_for(monkeypatch):
    held = b"x" * 300_000_000
    assert peak_memory() > len(held)
    monkeypatch.setattr("stablek.machine.memory.Path.read_text", lambda *_, **__: "")
    assert peak_memory() > len(held)
