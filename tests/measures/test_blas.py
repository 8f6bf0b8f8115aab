"""Another BLAS kernel changes sums in their last digits, and no answer.

OpenBLAS takes its kernels by the processor, so the same installation computes other
digits on another machine. A process of its own takes those of another processor.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FULL = bool(os.environ.get("STABLEK_TEST_FULL"))

#: Processors whose kernels differ; the first has the oldest instructions.
CORES = ("Nehalem", "Haswell", "SkylakeX")

#: What is asked: which BLAS there is, and k of every measure and of verdicts.
ASKED = """
import json
import numpy as np
from threadpoolctl import threadpool_info
import stablek
from blobs import blobs
from made_sets import QUICK, moons, noise
from stablek.measures import MEASURES, settings_of
few = {"repeats": 8, "null_sets": 4, "runs": 1}
ks = {}
for algorithm in ("kmeans-r", "hier-a"):
    for name in sorted(MEASURES):
        known = {key: few[key] for key in few if key in settings_of(name)}
        found = stablek.choose_k(
            blobs(n=36), name, algorithm, range(2, 6), backend="serial", **known
        )
        ks[f"{name} {algorithm}"] = found.k_star
sets = {"blobs": blobs(), "moons": moons()[0], "noise": noise("skewed")}
for name, made in sets.items():
    ks[f"verdict {name}"] = stablek.verdict(made, **QUICK).best_guess
many_ties = 1.0 + np.random.default_rng(0).poisson(
    np.repeat([[0.5], [4.0]], [120, 60], axis=0), (180, 6)
)
v = stablek.verdict(many_ties, **QUICK)
ks["whole numbers"] = [v.k, [round(weight, 6) for weight in v.plausible.values()]]
kinds = [one.get("architecture") for one in threadpool_info()]
"""


def answers(core):
    """Return the architectures and the answers of a process with some kernels."""
    here = Path(__file__).parents[1]
    start = f"import sys; sys.path[:0] = {[str(here / 'shared'), str(here / 'panel')]}"
    code = f"{start}\n{ASKED}\nprint(json.dumps([kinds, ks]))"
    got = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "OPENBLAS_CORETYPE": core},
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return json.loads(got.stdout)


@pytest.fixture(scope="module")
def usual():
    """Return the answers of this process."""
    found = {}
    exec(ASKED, found)
    return found["ks"]


@pytest.mark.parametrize("core", CORES if FULL else CORES[:1])
def test_kernels_of_another_processor_change_no_answer(usual, core):
    needed = {"Haswell": "avx2", "SkylakeX": "avx512f"}.get(core, "sse4_2")
    info = Path("/proc/cpuinfo")
    if not info.is_file() or needed not in info.read_text().split():
        pytest.skip(f"this processor has no {needed}, or the system does not say")
    kinds, ks = answers(core)
    if core not in kinds:
        pytest.skip(f"NumPy's BLAS takes no kernels of {core} here: {kinds}")
    assert ks == usual
