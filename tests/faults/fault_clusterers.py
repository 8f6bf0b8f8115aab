"""Clusterers that misbehave, each in its own way."""

import collections
import contextlib
import itertools
import os
import signal
import time
from pathlib import Path

import numba
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


class Waits(Halves):
    def trouble(self, X):
        while not Path("go").exists():
            time.sleep(0.02)


class Deaf(Halves):
    """Hears every signal that comes once it says to be busy, and goes on."""

    def trouble(self, X):
        while True:
            try:
                Path("busy").touch()
                while True:
                    time.sleep(0.05)
            except BaseException:
                Path("heard").touch()


class Endless(Halves):
    def trouble(self, X):
        while self.random_state % 3 == 0:
            with contextlib.suppress(Exception):
                time.sleep(0.01)


@numba.njit(nogil=True)
def spin(flags):
    while flags[0] == 0:
        flags[1] += 1


spin(np.ones(2))  # compiled here, before any clock runs


class Holding(Halves):
    """At times never leaves compiled code, and lets no Python code run meanwhile."""

    def trouble(self, X):
        if self.random_state % 5 == 0:
            Path("busy").touch()
            collections.deque(itertools.repeat(0), maxlen=0)


class Spinning(Halves):
    """At times never leaves compiled code, which lets other Python code run."""

    def trouble(self, X):
        if self.random_state % 5 == 0:
            Path("busy").touch()
            spin(np.zeros(2))


class StuckOnAll(Halves):
    """Never ends on the whole data, of 36 items; samples are no trouble."""

    def trouble(self, X):
        if len(X) == 36:
            collections.deque(itertools.repeat(0), maxlen=0)


class Raises(Halves):
    def trouble(self, X):
        raise RuntimeError("my own words")


class Leaves(Halves):
    def trouble(self, X):
        raise SystemExit(7)


class OwnStop(BaseException):
    """What somebody's library raises to leave in a hurry."""


class Unsayable(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class Hurries(Halves):
    def trouble(self, X):
        raise OwnStop("out of here")


class Mumbles(Halves):
    def trouble(self, X):
        raise Unsayable


class Parts(Halves):
    def fit_predict(self, X):
        return super().fit_predict(X) * 0.5 + 0.5


class Prints(Halves):
    def trouble(self, X):
        print("not an answer")


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


class DiesOnce(Halves):
    """Kills its own process, unless a file says that it did so before."""

    def __init__(self, n_clusters=2, random_state=0, flag=""):
        super().__init__(n_clusters, random_state)
        self.flag = flag

    def get_params(self, deep=True):
        return {**super().get_params(deep), "flag": self.flag}

    def fit_predict(self, X):
        try:
            os.close(os.open(self.flag, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return super().fit_predict(X)
        os.kill(os.getpid(), signal.SIGKILL)
        return None
