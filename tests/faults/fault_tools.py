"""What the fault tests share: hostile names, clusterers that misbehave, waiting."""

import time
from dataclasses import replace
from pathlib import Path

from stablek.datasets.simulated import demo

#: A chunk for every task, so that a small run has many to be killed between; and
#: workers even for tasks of a millisecond.
SHORT = (
    ("stablek.engine.execution.execute", "BATCH_SECONDS", 1e-9),
    ("stablek.engine.execution.execute", "WORTHWHILE", 0.0),
)


def small_demo(seed=0):
    """Return some items and columns of the demo, which are judged in less time."""
    made = demo(seed)
    names = {"ids": made.facts["ids"][:40], "columns": made.facts["columns"][:8]}
    return replace(made, values=made.values[:40, :8], facts={**made.facts, **names})


HOSTILE = (
    "<script>window.PWN=1</script>", "</script><img src=x onerror=PWN=1>", "{{7*7}}",
    "a\u2028b", "\u202edesrever", "\U0001f600", "\x1b[31mred\x1b[0m", "[/foo]",
    "CD4[high]", "=cmd()", "+1+1", "@sum(a)", "-2+3",
    "\"quoted\", it's", "50%", "$HOME", "../../etc", "tab\there", "NA", "1-Sep",
)  # fmt: skip

#: The clusterers, to be copied beside the data of a command.
CLUSTERERS = (Path(__file__).parent / "fault_clusterers.py").read_text()


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


def lost_items(first: Path, second: Path) -> int:
    """Return how many items of a whole run's partition another one does not hold."""
    ids = [
        {line.split("\t")[0] for line in (f / "labels.tsv").read_text().splitlines()}
        for f in (first, second)
    ]
    assert len(ids[0]) > 1  # a heading, and items
    return len(ids[0] - ids[1])


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
