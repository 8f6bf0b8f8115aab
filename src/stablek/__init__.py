"""Tell how many clusters are in the data, and how far to trust them.

``stablek.choose_k(X)`` asks one measure; ``stablek.verdict(X)`` asks several,
calibrated against null models, and gives a reason. Everything heavy is imported when
it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from stablek.version import __version__ as __version__

if TYPE_CHECKING:
    from stablek.choose import choose_k
    from stablek.data import Dataset
    from stablek.fixed_k import Assessment, assess
    from stablek.integrations.sklearn import StableK
    from stablek.judge.result import Verdict
    from stablek.judge.run import verdict
    from stablek.measure import Measure
    from stablek.result import Result
    from stablek.side_by_side import compare

#: Public name, and the module it lives in.
_PUBLIC = {
    "Assessment": "stablek.fixed_k",
    "Dataset": "stablek.data",
    "Measure": "stablek.measure",
    "Result": "stablek.result",
    "StableK": "stablek.integrations.sklearn",
    "Verdict": "stablek.judge.result",
    "assess": "stablek.fixed_k",
    "choose_k": "stablek.choose",
    "compare": "stablek.side_by_side",
    "verdict": "stablek.judge.run",
}

__all__ = [
    "Assessment",
    "Dataset",
    "Measure",
    "Result",
    "StableK",
    "Verdict",
    "assess",
    "choose_k",
    "compare",
    "verdict",
]


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    msg = f"module 'stablek' has no attribute '{name}'"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
