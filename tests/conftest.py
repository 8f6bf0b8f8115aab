"""Fixtures that several folders of tests share."""

import _thread
import os
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

#: What tests count with ``tally``; printed at the end, in this order.
FIGURES = (
    "faults survived", "runs in a row", "bits compared", "inputs fuzzed",
    "tables compared", "items lost",
)  # fmt: skip


def pytest_configure() -> None:
    """Let coverage see our own threads."""
    if threading.gettrace() is not None:
        begin = _thread.start_new_thread
        _thread.start_new_thread = lambda run, given: begin(_seen, (run, *given))


def _seen(run: Callable[..., None], *given: object) -> None:
    sys.settrace(threading.gettrace())
    run(*given)


@pytest.fixture(scope="session")
def real_data() -> Path:
    """Return the folder of real data, or skip; under CI its absence is a failure."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("STABLEK_DATA") or beside)
    if (folder / "gold.tsv").is_file():
        return folder
    reason = f"no real data in {folder}: set STABLEK_DATA to a folder with gold.tsv"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Callable[[str, int], None]:
    """Count something for the figures that are printed at the end of the suite."""

    def count(what: str, number: int) -> None:
        request.node.user_properties.append((f"tally {what}", int(number)))

    return count


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what was tried and survived; properties of tests travel through xdist."""
    counts: dict[str, int] = dict.fromkeys(FIGURES, 0)
    names: dict[str, set[str]] = {}
    for outcome in ("passed", "failed", "error"):
        reports = terminalreporter.getreports(outcome)
        names[outcome] = {report.nodeid.split("[")[0] for report in reports}
        for report in reports:
            for name, number in getattr(report, "user_properties", ()):
                what = name.removeprefix("tally ")
                # Of a test that failed nothing counts but what it found lost.
                if name != what and (outcome == "passed" or what == "items lost"):
                    counts[what] += number
    # A test with parameters has passed if it has with all of them.
    passed = names["passed"] - names["failed"] - names["error"]
    page = Path(__file__).parents[1] / "docs" / "survive.md"
    if not any(counts.values()) or not page.is_file():
        return
    rows = [
        re.findall(r"`(tests/[^`]+)`", line)
        for line in re.findall(r"^\| \d+ \|.*$", page.read_text(encoding="utf-8"), re.M)
    ]
    tried = sum(bool(tests) and passed.issuperset(tests) for tests in rows)
    figures = ", ".join(f"{name} {number:,}" for name, number in counts.items())
    terminalreporter.write_line(f"cases tried {tried} of {len(rows)}, {figures}")
