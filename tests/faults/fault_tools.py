"""What the fault tests share: hostile names, clusterers that misbehave, waiting."""

import time
from pathlib import Path

#: A chunk for every task, so that a small run has many to be killed between; and
#: workers even for tasks of a millisecond.
SHORT = (
    ("stablek.engine.execute", "BATCH_SECONDS", 0.0),
    ("stablek.engine.execute", "WORTHWHILE", 0.0),
)

HOSTILE = (
    "<script>window.PWN=1</script>", "</script><img src=x onerror=PWN=1>", "{{7*7}}",
    "a\u2028b", "\u202edesrever", "\U0001f600", "\x1b[31mred\x1b[0m", "[/foo]",
    "CD4[high]", "=cmd()", "+1+1", "@sum(a)", "-2+3",
    "\"quoted\", it's", "50%", "$HOME", "../../etc", "tab\there", "NA", "1-Sep",
)  # fmt: skip

SLOW = """
import os, signal, time
from pathlib import Path
import numpy as np


class Halves:
    def __init__(self, n_clusters=2, random_state=0):
        self.n_clusters, self.random_state = n_clusters, random_state

    def get_params(self, deep=True):
        return {"n_clusters": self.n_clusters, "random_state": self.random_state}

    def fit_predict(self, X):
        self.trouble(X)
        order = np.argsort(X[:, 0], kind="stable")
        labels = np.empty(len(X), int)
        labels[order] = np.arange(len(X)) * self.n_clusters // len(X)
        return labels

    def trouble(self, X):
        pass


class Slow(Halves):
    def trouble(self, X):
        time.sleep(0.02)


class Deaf(Halves):
    def trouble(self, X):
        Path("busy").touch()
        while True:
            try:
                time.sleep(0.05)
            except BaseException:
                Path("heard").touch()


class Endless(Halves):
    def trouble(self, X):
        while self.random_state % 3 == 0:
            try:
                time.sleep(0.01)
            except Exception:
                pass


class Raises(Halves):
    def trouble(self, X):
        raise RuntimeError("my own words")


class Short(Halves):
    def fit_predict(self, X):
        return super().fit_predict(X)[:-1]


class NaN(Halves):
    def fit_predict(self, X):
        return np.where(np.arange(len(X)) == 3, np.nan, 1.0)


class One(Halves):
    def fit_predict(self, X):
        return np.zeros(len(X), int)


class Noise(Halves):
    def fit_predict(self, X):
        labels = super().fit_predict(X)
        labels[X[:, 0].argmax()] = -1
        return labels


class Text(Halves):
    def fit_predict(self, X):
        return np.array(["a", "b", "c", "d"])[super().fit_predict(X) % 4]


class AllNoise(Halves):
    def fit_predict(self, X):
        return np.full(len(X), -1)
"""


def until(condition, run=None, seconds=200):
    """Wait for a condition, however slow the machine is, while the run is alive."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        assert run is None or run.alive(), run.err
        time.sleep(0.005)
    raise AssertionError(f"did not happen within {seconds} s")


def chunks(folder: Path) -> int:
    return len(list(folder.glob("chunks/*.chunk")))


def same_files(first: Path, second: Path) -> int:
    """Compare every result file of two run folders; return the bits compared."""
    names = {f.name for f in first.iterdir() if f.is_file()} - {"run.json", ".holder"}
    names = {name for name in names if not name.startswith(".lock")}
    assert "report.html" in names
    bits = 0
    for name in sorted(names):
        one, two = (first / name).read_bytes(), (second / name).read_bytes()
        assert one == two, name
        bits += 8 * len(one)
    return bits
