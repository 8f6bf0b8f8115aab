"""Presets: settings of the measures that belong together.

"thesis" is chapter 6: Gap from 20 Monte Carlo runs of 10 null sets, other K-means-R
curves five times, H = 250 and 80 % for Consensus and FC, p-values as plain proportions.
Each measure has its settings on its card; what is not named keeps its default. NMF is
that of the thesis: Brunet's update rule, stopped by his connectivity matrix.
"""

from typing import Any

from stablek.errors import unknown_name
from stablek.factorize.updates import METHODS
from stablek.measures import MEASURES
from stablek.paradigm.card import card_of

PRESETS = ("thesis",)

#: Where none is named: right most often on labelled data (docs/which-measure.md).
DEFAULT_ALGORITHM = "kmeans-w"
#: Where K-means cannot be used (other distances), and under the thesis's preset.
DEFAULT_TREE = "hier-a"


def preset_algorithm(
    preset: str | None, algorithm: Any, metric: str = "euclidean"
) -> Any:
    """Return the algorithm to use: the one given, or a default where it is None.

    Under the preset "thesis", NMF is Brunet's. A variant that is named already stays.

    Examples
    --------
    >>> preset_algorithm(None, None), preset_algorithm(None, None, "correlation")
    ('kmeans-w', 'hier-a')
    >>> preset_algorithm("thesis", "nmf-a+fold"), preset_algorithm("thesis", "hier-a")
    ('nmf-a+fold+brunet', 'hier-a')
    >>> preset_algorithm("thesis", "nmf-r+hals"), preset_algorithm(None, "nmf-r")
    ('nmf-r+hals', 'nmf-r')
    """
    if algorithm is None:
        usual = preset is None and metric == "euclidean"
        return DEFAULT_ALGORITHM if usual else DEFAULT_TREE
    if preset is None or not isinstance(algorithm, str):
        return algorithm
    word, *variants = algorithm.split("+")
    if not word.startswith("nmf-") or word == "nmf-i" or {*variants} & {*METHODS}:
        return algorithm
    return f"{algorithm}+brunet"


def preset_settings(
    preset: str | None, measure: Any, algorithm: Any = None
) -> dict[str, Any]:
    """Return the settings of a measure under a preset; those given win over them.

    Without a preset, the consensus curves of K-means are read by their own rule.

    Examples
    --------
    >>> preset_settings("thesis", "gap-pc")
    {'runs': 20, 'null_sets': 10, 'starts': 1}
    >>> preset_settings(None, "fc", "kmeans-w"), preset_settings(None, "fc", "hier-w")
    ({'rule': 'clear'}, {})
    """
    if preset is None:
        centres = isinstance(algorithm, str) and algorithm.startswith("kmeans-")
        return {"rule": "clear"} if centres and measure in ("fc", "consensus") else {}
    if preset not in PRESETS:
        raise unknown_name("preset", preset, PRESETS)
    if not isinstance(measure, str) or measure not in MEASURES:
        return {}
    return dict(card_of(MEASURES[measure]).thesis)
