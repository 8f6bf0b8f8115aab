"""Presets: settings of the measures that belong together."""

from __future__ import annotations

from typing import Any

from stablek.errors import unknown_name

#: Preset, measure, settings. What is not named keeps its default.
PRESETS: dict[str, dict[str, dict[str, Any]]] = {
    # Chapter 6: Gap from 20 Monte Carlo runs of 10 null sets, other K-means-R
    # curves five times, H = 250 and 80 % for Consensus and FC, p-values as
    # plain proportions.
    "thesis": {
        "wcss": {"starts": 5},
        "wcss-r": {"starts": 5},
        "kl": {"starts": 5},
        "gap-ps": {"runs": 20, "null_sets": 10, "starts": 1},
        "gap-pc": {"runs": 20, "null_sets": 10, "starts": 1},
        "gap-pr": {"runs": 20, "null_sets": 10, "starts": 1},
        "g-gap": {"starts": 5},
        "fom": {"starts": 5},
        "fom-r": {"starts": 5},
        "g-fom": {"starts": 5},
        "diff-fom": {"starts": 5},
        "consensus": {"repeats": 250, "fraction": 0.8},
        "fc": {"repeats": 250, "fraction": 0.8},
        "clest": {"repeats": 20, "null_sets": 20, "proportion": True},
    },
}


def preset_settings(preset: str | None, measure: Any) -> dict[str, Any]:
    """Return the settings of a measure under a preset; those given win over them.

    Examples
    --------
    >>> preset_settings("thesis", "gap-pc")
    {'runs': 20, 'null_sets': 10, 'starts': 1}
    """
    if preset is None:
        return {}
    if preset not in PRESETS:
        raise unknown_name("preset", preset, PRESETS)
    return dict(PRESETS[preset].get(measure, {})) if isinstance(measure, str) else {}
