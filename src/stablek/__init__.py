"""Tell how many clusters are in the data, and how far to trust them.

``stablek.choose_k(X)`` asks one measure; ``stablek.verdict(X)`` asks several,
calibrated against null models, and gives a reason. Everything heavy is imported when
it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from stablek.version import __version__ as __version__

if TYPE_CHECKING:
    from stablek.api.assess import assess
    from stablek.api.choose_k import choose_k
    from stablek.api.choose_setting import choose_setting
    from stablek.api.compare import compare
    from stablek.api.significance import significance
    from stablek.api.validate import validate
    from stablek.api.verdict import verdict
    from stablek.data import Dataset
    from stablek.engine.execution.execute import Execution
    from stablek.integrations.sklearn import StableK
    from stablek.paradigm.measure import Measure
    from stablek.results.assessment import Assessment
    from stablek.results.comparison import Comparison
    from stablek.results.result import Result
    from stablek.results.setting import Setting
    from stablek.results.significance import Significance
    from stablek.results.verdict import Verdict

#: Public name, and the module it lives in.
_PUBLIC = {
    "Assessment": "stablek.results.assessment",
    "Comparison": "stablek.results.comparison",
    "Dataset": "stablek.data",
    "Execution": "stablek.engine.execution.execute",
    "Measure": "stablek.paradigm.measure",
    "Result": "stablek.results.result",
    "Setting": "stablek.results.setting",
    "Significance": "stablek.results.significance",
    "StableK": "stablek.integrations.sklearn",
    "Verdict": "stablek.results.verdict",
    "assess": "stablek.api.assess",
    "choose_k": "stablek.api.choose_k",
    "choose_setting": "stablek.api.choose_setting",
    "compare": "stablek.api.compare",
    "significance": "stablek.api.significance",
    "validate": "stablek.api.validate",
    "verdict": "stablek.api.verdict",
}

__all__ = [
    "Assessment",
    "Comparison",
    "Dataset",
    "Execution",
    "Measure",
    "Result",
    "Setting",
    "Significance",
    "StableK",
    "Verdict",
    "assess",
    "choose_k",
    "choose_setting",
    "compare",
    "significance",
    "validate",
    "verdict",
]


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'stablek' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
