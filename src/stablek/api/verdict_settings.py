"""What a verdict is asked for, and what is refused before anything is computed."""

from dataclasses import replace

from stablek.data import Dataset
from stablek.errors import InputError, advice, unknown_name
from stablek.panel.metric import METRICS
from stablek.panel.trivial import FEWEST
from stablek.results.verdict import Verdict

SCALES = ("auto", "as given")


def check_settings(
    data: Dataset, classes: tuple[str, ...] | None, repeats: int, null_sets: int,
    level: float, scale: str,
) -> None:  # fmt: skip
    """Refuse what cannot be judged, before anything is computed."""
    if classes is not None and len(classes) != data.n:
        raise InputError(
            f"{len(classes)} labels for {data.n} items; give one label per item"
        )
    if scale not in SCALES:
        raise unknown_name("scale", scale, SCALES)
    if repeats < 10 or null_sets < 1 or not 0 < level <= 1:
        raise InputError(
            f"repeats = {repeats} must be at least 10, null_sets = {null_sets} at "
            f"least 1, and level = {level:g} in (0, 1]"
        )


def unknown_metric(metric: str) -> InputError:
    """Return the error for a metric that a verdict cannot take from a table."""
    known = [name for name in METRICS if name != "precomputed"]
    option = advice("--metric precomputed", "metric='precomputed'")
    unknown = unknown_name("metric", metric, known)
    return InputError(
        f"{unknown}; for another one give a matrix of distances, with {option}"
    )


def with_turning_advice(answer: Verdict) -> Verdict:
    """Return an answer on too few rows, with advice on items that are in columns."""
    data = answer.data
    if data is None or data.precomputed or data.n >= min(FEWEST, data.m):
        return answer
    how = advice("transpose the table (--transpose)", "pass the table transposed (X.T)")
    turn = f"If your items are the {data.m:,} columns, {how}."
    return replace(answer, next_steps=(turn, *answer.next_steps))
