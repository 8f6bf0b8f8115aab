"""A signal that strikes while compiled code runs stops the run; it is no failure of it.

Code that returns a tuple with an array does so with the exception still set, and Python
raises a SystemError instead.
"""

import contextlib
import signal
import sys
import threading
import time

import numba
import numpy as np
import pytest

from stablek import choose_k, compare, verdict
from stablek.api.choose_setting import choose_setting
from stablek.cli import guarded
from stablek.cli.signals import raise_missed_signals, stoppable
from stablek.engine.execution.deadline import deadline
from stablek.errors import InputError, Terminated, reraise_signals
from stablek.paradigm.cluster.adapter import ClustererError


@numba.njit(nogil=True)
def two_things(flags, places):
    """Count until another thread sets a flag, at places the compiler cannot know."""
    while flags[places[0]] == 0:
        flags[places[1]] += 1
    return flags, flags[1] > 3


PLACES = np.arange(2)
two_things(np.ones(2, int), PLACES)  # compiled before any clock runs


class Bell:
    """An alarm that is rung while compiled code runs, neither before nor after."""

    def busy(self):
        flags = np.zeros(2, int)
        threading.Thread(target=self._ring, args=(flags,)).start()
        return two_things(flags, PLACES)

    def _ring(self, flags):
        while flags[1] == 0:
            time.sleep(0.001)
        signal.raise_signal(signal.SIGALRM)  # it has come when this returns
        flags[0] = 1


@pytest.fixture
def bell():
    def stop(number, frame):
        raise Terminated

    before = signal.signal(signal.SIGALRM, stop)
    yield Bell()
    signal.signal(signal.SIGALRM, before)


class Busy:
    def __init__(self, bell):
        self.bell = bell
        self.n_clusters = 2

    def __deepcopy__(self, memo):
        return self

    def fit_predict(self, values):
        self.bell.busy()
        return np.arange(len(values)) % self.n_clusters


X = np.arange(24.0).reshape(12, 2)


def test_python_raises_another_error_in_the_place_of_the_signals(bell):
    with pytest.raises(SystemError) as found:
        bell.busy()
    assert isinstance(found.value.__cause__, Terminated)


def test_the_signal_comes_through(bell):
    with pytest.raises(Terminated), reraise_signals():
        bell.busy()


def test_an_error_of_compiled_code_stays_what_it_is():
    for behind in (None, ValueError("wrong")):
        with pytest.raises(SystemError), reraise_signals():
            raise SystemError("broken") from behind


def test_errors_behind_one_another_are_looked_at_once():
    first, second = ValueError("first"), ValueError("second")
    first.__cause__, second.__cause__ = second, first
    with pytest.raises(ValueError, match="first"), reraise_signals():
        raise first


def test_a_program_that_wants_to_leave_is_no_signal():
    with pytest.raises(ValueError, match="left"), reraise_signals():
        raise ValueError("left") from SystemExit(1)


@pytest.fixture
def handlers():
    """Put the handlers back: after a first signal a second would end the tests."""
    before = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def swallow(number, error):
    """Receive a signal as code that goes on to raise something else."""
    with contextlib.suppress(KeyboardInterrupt):
        signal.raise_signal(number)
    raise error


@pytest.mark.parametrize(
    ("number", "kind"),
    [(signal.SIGTERM, Terminated), (signal.SIGINT, KeyboardInterrupt)],
)
@pytest.mark.usefixtures("handlers")
def test_a_signal_is_heard_that_foreign_code_has_swallowed(number, kind):
    with pytest.raises(kind) as found, stoppable(), raise_missed_signals():
        swallow(number, TypeError("cannot compare"))
    assert found.type is kind


class Dying:
    def __init__(self, number):
        self.number = number

    def __del__(self):
        signal.raise_signal(self.number)


@pytest.mark.parametrize(
    ("number", "kind"),
    [(signal.SIGTERM, Terminated), (signal.SIGINT, KeyboardInterrupt)],
)
@pytest.mark.usefixtures("handlers")
def test_a_signal_that_strikes_while_an_object_is_deleted_comes_again(
    number, kind, capfd
):
    def work():
        Dying(number)
        time.sleep(60)

    before = sys.unraisablehook
    with pytest.raises(kind) as found, stoppable(), raise_missed_signals():
        work()
    assert found.type is kind
    assert capfd.readouterr().err == ""
    assert sys.unraisablehook is before


@pytest.mark.usefixtures("handlers")
def test_other_errors_of_such_an_object_are_told_as_ever(monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", seen.append)

    class Broken:
        def __del__(self):
            raise ValueError("broken")

    with stoppable():
        Broken()
    assert [one.exc_type for one in seen] == [ValueError]


@pytest.mark.usefixtures("handlers")
def test_what_we_say_of_it_ourselves_stays():
    with pytest.raises(InputError), stoppable(), raise_missed_signals():
        swallow(signal.SIGTERM, InputError("told"))


@pytest.mark.usefixtures("handlers")
def test_the_next_command_knows_nothing_of_the_last_ones_signal():
    with pytest.raises(Terminated), stoppable(), raise_missed_signals():
        swallow(signal.SIGTERM, TypeError("cannot compare"))
    with pytest.raises(TypeError), stoppable(), raise_missed_signals():
        raise TypeError("a bug")


def test_a_clusterer_is_not_blamed(bell):
    with pytest.raises(Terminated):
        choose_k(X, "wcss", Busy(bell), ks=range(2, 4), jobs=1)


def test_a_comparison_does_not_go_on_with_the_next(bell):
    with pytest.raises(Terminated):
        compare(X, ["wcss"], [Busy(bell), "kmeans-r"], ks=range(2, 4), jobs=1)


def test_nor_does_a_choice_of_settings(bell):
    def cluster(values, setting, rng):
        bell.busy()
        return np.arange(len(values)) % 2

    with pytest.raises(Terminated):
        choose_setting(X, [0.5, 1.0], cluster, repeats=4, jobs=1)


def test_a_verdict_ends(bell, monkeypatch):
    def struck(*_, **__):
        bell.busy()

    monkeypatch.setattr("stablek.api.verdict.whole_ks", struck)
    with pytest.raises(Terminated):
        verdict(X, ks=range(2, 4))


def test_a_time_limit_is_told_as_one():
    flags = np.zeros(2, int)
    threading.Timer(0.5, flags.__setitem__, (0, 1)).start()
    with pytest.raises(ClustererError, match=r"took longer than 0\.02 s"):  # noqa: SIM117
        with deadline(0.02):
            two_things(flags, PLACES)


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)]
)
def test_a_signal_on_the_way_out_has_its_code_too(number, code, monkeypatch, capsys):
    @contextlib.contextmanager
    def late():
        with stoppable():
            yield
            signal.raise_signal(number)

    monkeypatch.setattr("stablek.cli.stoppable", late)
    assert guarded(["--version"]) == code
    assert capsys.readouterr().err == "stablek: interrupted\n"
