"""With too little memory: an answer, or a sentence and an exit code; never a crash."""

import os
import re
import signal

import numpy as np
import pytest

#: Megabytes beyond what the process holds when the command begins.
SPARE = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256]
if os.environ.get("STABLEK_TEST_FULL") == "1":
    SPARE = sorted({*SPARE, *range(3, 100, 3)})

COMMANDS = {
    "run": ("run", "big.csv", "-k", "2:6", "--repeats", "20", "-o", "out"),
    "kmeans": ("run", "big.csv", "-a", "kmeans-r", "-k", "2:6", "--repeats", "20"),
    "compare": ("compare", "big.csv", "-m", "fc,gap-pc", "-k", "2:4", "--set",
                "repeats=10", "-o", "out"),
    "verdict": ("verdict", "big.csv", "-k", "2:4", "--null-sets", "4", "--repeats",
                "10"),
}  # fmt: skip

#: Libraries that end the process themselves, and say why; nobody can catch that.
LIBRARIES = "OpenBLAS.*(Memory allocation|malloc failed)|LLVM ERROR: Unable to allocate"


@pytest.mark.parametrize("name", COMMANDS)
def test_any_limit_of_memory_gives_an_answer_or_a_sentence(
    start, tmp_path, tally, name
):
    values = np.random.default_rng(0).normal(size=(600, 20))
    lines = [
        f"s{i}," + ",".join(map(repr, row)) for i, row in enumerate(values.tolist())
    ]
    header = "id," + ",".join(f"c{j}" for j in range(20))
    (tmp_path / "big.csv").write_text("\n".join([header, *lines]) + "\n")
    seen = []
    for spare in SPARE:
        run = start(*COMMANDS[name], "-q", limits={"SPARE": spare * 2**20})
        code = run.wait()
        if code in (1, -signal.SIGABRT) and re.search(LIBRARIES, run.err):
            seen.append(code)
            continue
        assert code in (0, 2, 4, 75), (spare, code, run.err)
        assert "Traceback" not in run.err, (spare, run.err)
        if code == 4:  # of several measures, each fails with its own words
            assert name == "compare"
            assert re.search("failed: .*([Mm]emory|allocate|thread)", run.err), run.err
        elif code:  # other libraries, and threads that could not begin, may speak too
            lines = run.err.strip().splitlines()
            assert any(one.startswith("stablek: ") for one in lines), (spare, run.err)
        seen.append(code)
    assert seen[-1] == 0, seen
    assert any(seen) or name == "verdict", seen  # which may fit into what is held
    tally("faults survived", sum(code != 0 for code in seen))
