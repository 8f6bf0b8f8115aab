"""The measures, by the names users type. One short file per measure."""

import inspect
import math
import numbers
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from stablek.errors import InputError, unknown_name
from stablek.measures.bic import bic
from stablek.measures.brunet import brunet
from stablek.measures.clest import clest
from stablek.measures.column_halves import column_halves
from stablek.measures.compose import compose
from stablek.measures.connected import connected
from stablek.measures.consensus import consensus, fc
from stablek.measures.diff_fom import diff_fom
from stablek.measures.fom import fom
from stablek.measures.fom_r import fom_r
from stablek.measures.g_fom import g_fom
from stablek.measures.g_gap import g_gap
from stablek.measures.gap import gap_pc, gap_pr, gap_ps
from stablek.measures.kl import kl
from stablek.measures.levine_domany import levine_domany
from stablek.measures.me import me
from stablek.measures.modularity import modularity
from stablek.measures.mosram import mosram
from stablek.measures.prediction import prediction
from stablek.measures.roth import roth
from stablek.measures.separation import separation
from stablek.measures.silhouette import silhouette
from stablek.measures.valley import valley
from stablek.measures.wcss import wcss
from stablek.measures.wcss_r import wcss_r
from stablek.paradigm.measure import Measure

#: The word a user types, and what makes the measure.
MEASURES: dict[str, Callable[..., Measure]] = {
    "brunet": brunet,
    "silhouette": silhouette,
    "separation": separation,
    "prediction": prediction,
    "bic": bic,
    "clest": clest,
    "column-halves": column_halves,
    "composed": compose,
    "connected": connected,
    "consensus": consensus,
    "fc": fc,
    "diff-fom": diff_fom,
    "fom": fom,
    "fom-r": fom_r,
    "g-fom": g_fom,
    "g-gap": g_gap,
    "gap-pc": gap_pc,
    "gap-pr": gap_pr,
    "gap-ps": gap_ps,
    "kl": kl,
    "levine-domany": levine_domany,
    "me": me,
    "modularity": modularity,
    "mosram": mosram,
    "roth": roth,
    "valley": valley,
    "wcss": wcss,
    "wcss-r": wcss_r,
}

#: The kinds of settings, and what they are called.
KINDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a name",
}


def measure(wanted: str | Measure, **settings: Any) -> Measure:
    """Return the measure a user asked for, by name or as a declaration.

    ``settings`` are those of the measure (``repeats``, ``fraction`` ...); one it does
    not have is refused by name. A setting of None means its default.
    """
    given = {name: value for name, value in settings.items() if value is not None}
    if isinstance(wanted, Measure):
        if given:
            raise InputError(
                f"the settings {', '.join(sorted(given))} apply to a measure given "
                f"by name; {wanted.name} was given as an object with its own "
                "settings"
            )
        return wanted
    if wanted not in MEASURES:
        raise unknown_name("measure", str(wanted), MEASURES)
    return build("measure", wanted, MEASURES[wanted], given)


def build(
    kind: str, name: str, make: Callable[..., Measure], settings: Mapping[str, Any]
) -> Measure:
    """Return what a factory makes of settings; refuse those it does not take."""
    parameters = inspect.signature(make).parameters
    for word in settings:
        if word not in parameters:
            raise InputError(
                f"{kind} '{name}' has no setting '{word}'; it has: "
                f"{', '.join(sorted(parameters)) or 'none'}"
            )
    return make(
        **{
            word: checked_setting(value, parameters[word].annotation, name, word)
            for word, value in settings.items()
        }
    )


def checked_setting(value: Any, annotation: Any, owner: str, name: str) -> Any:
    """Return a setting of the kind that is annotated, or say what that is.

    Examples
    --------
    >>> checked_setting(1e3, "int | None", "fc", "repeats")
    1000
    >>> checked_setting("banana", float, "fc", "fraction")
    Traceback (most recent call last):
    stablek.errors.InputError: fc: fraction = 'banana' must be a number
    """
    if not isinstance(annotation, str):
        annotation = inspect.formatannotation(annotation)
    kinds = {kind.strip() for kind in annotation.split("|")} & KINDS.keys()
    if isinstance(value, bool | np.bool_):
        good = "bool" in kinds
    elif isinstance(value, str):
        good = "str" in kinds
    elif isinstance(value, numbers.Real):
        number = float(value)
        good = "float" in kinds and math.isfinite(number)
        if "int" in kinds and number.is_integer():
            return int(number)
    else:
        return value  # an ingredient itself: the measure knows it, or not
    if not good:
        what = " or ".join(word for kind, word in KINDS.items() if kind in kinds)
        raise InputError(f"{owner}: {name} = {value!r} must be {what}")
    return value


def settings_of(name: str) -> dict[str, Any]:
    """Return the settings of a measure with their defaults."""
    parameters = inspect.signature(MEASURES[name]).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters}
