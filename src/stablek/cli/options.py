"""Options that several commands share, and what they mean."""

import functools
import re
from collections.abc import Callable
from typing import Any, TypeVar, cast

import click

from stablek.cli.workflow import WORKFLOW_OPTIONS, complete
from stablek.cli.write_guard import begin_command

F = TypeVar("F", bound=Callable[..., Any])

JSON_OPTION = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object."
)
CSV_OPTION = click.option(
    "--csv", "as_csv", is_flag=True, help="Print the table as CSV."
)
QUIET_OPTION = click.option(
    "-q", "--quiet", is_flag=True, help="No progress, no notes."
)

ALGORITHM_OPTION = click.option(
    "-a",
    "--algorithm",
    shell_complete=complete("algorithm"),
    help="Clustering algorithm (see `stablek algorithms`), or module:name. "
    "Default kmeans-w; hier-a for other distances and with --preset thesis.",
)

METRIC_OPTION = click.option(
    "--metric",
    default="euclidean",
    show_default=True,
    help="Distance for hierarchical algorithms, such as manhattan or correlation; "
    "precomputed or similarity if DATA is a matrix of distances or similarities.",
)

SEED_OPTION = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Random seed.",
)

NONNEGATIVE_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--nonnegative",
        type=click.Choice(["shift", "fold"]),
        help="Negative values, for nmf-*: subtract the smallest, or put positive and "
        "negative parts into separate columns. Otherwise refused.",
    ),
)


def _named_folder(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> str | None:
    """Refuse an empty name, such as a script gives whose variable is not set."""
    if value is not None and not value.strip():
        raise click.UsageError("-o is empty; name a folder, or leave it out")
    return value


OUTPUT_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "-o",
        "--out",
        metavar="DIR",
        callback=_named_folder,
        help="Keep the run in a folder; if it is interrupted, the same command "
        "resumes it.",
    ),
    click.option(
        "--restart", is_flag=True, help="Delete the run kept in DIR and start again."
    ),
    JSON_OPTION,
    CSV_OPTION,
    QUIET_OPTION,
    *WORKFLOW_OPTIONS,
)


def options(*groups: tuple[Callable[[Any], Any], ...]) -> Callable[[F], F]:
    """Add groups of options to a command, and what is done before it begins."""

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def begun(*given: Any, **named: Any) -> Any:
            begin_command(click.get_current_context())
            return function(*given, **named)

        decorated = cast("F", begun)
        for group in reversed(groups):
            for option in reversed(group):
                decorated = option(decorated)
        return decorated

    return decorate


def full_algorithm_name(
    algorithm: str | None,
    nonnegative: str | None,
    metric: str = "euclidean",
    preset: str | None = None,
) -> str:
    """Return the algorithm's full name: "nmf-a" and "fold" make "nmf-a+fold".

    Algorithms that take negative values as they are keep their names; None is the
    default for these distances and this preset.
    """
    if algorithm is None:
        from stablek.measures.presets import preset_algorithm

        return str(preset_algorithm(preset, None, metric))
    if nonnegative is None or not algorithm.startswith("nmf-"):
        return algorithm
    return f"{algorithm}+{nonnegative}"


#: Digits of the largest k: labels have 16 bits.
LONGEST = 5


class KRange(click.ParamType[range]):
    """A range of ks, both ends included (2:30), or one k (5)."""

    name = "A:B"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> range:
        """Return the range, or say how to write it."""
        if isinstance(value, range):
            return value
        ends = re.fullmatch(r"\s*([0-9]+)\s*(?::\s*([0-9]+)\s*)?", str(value))
        if ends is None:
            self.fail(
                f"'{value}' is not a range; write e.g. 2:10 (both ends included), or 5"
            )
        first, last = ends[1], ends[2] or ends[1]
        if max(len(first), len(last)) > LONGEST:
            self.fail(f"'{value}' is too many clusters; write e.g. 2:10")
        low, high = int(first), int(last)
        if low > high:
            self.fail(f"'{value}' is reversed; write {high}:{low}")
        if low < 1:
            self.fail(f"'{value}': the smallest number of clusters is 1")
        return range(low, high + 1)


KS_OPTION = click.option(
    "-k",
    "--ks",
    type=KRange(),
    help="Numbers of clusters to try, both ends included, or a single number, "
    "such as 5; default 2:30.",
)

SHARD_OPTION = click.option(
    "--shard",
    metavar="I/N",
    help="Run only part I of N, and keep it in -o DIR; then: stablek merge DIR.",
)

DRY_RUN_OPTION = click.option(
    "--dry-run",
    is_flag=True,
    help="Estimate tasks, time and memory; only a few tasks are run.",
)


#: Options of their own, which --set must not give a second time.
NO_SETTINGS = {
    "algorithm", "algorithms", "backend", "calibrate", "execution", "jobs", "journal",
    "ks", "measure", "measures", "memory", "metric", "null", "preset", "scheduler",
    "seed", "timeout", "watch", "x",
}  # fmt: skip

#: What scikit-learn calls some of them.
ALIASES = {"n_jobs": "jobs", "random_state": "seed"}


def setting(text: str) -> tuple[str, Any]:
    """Return the name and value of ``name=value``: number, true or false, or text."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.UsageError(
            f"'{text}' is not a setting; write --set name=value, e.g. --set repeats=100"
        )
    name = name.strip().replace("-", "_")
    name = ALIASES.get(name, name)
    if name in NO_SETTINGS:
        raise click.UsageError(
            f"{name} is not a setting of a measure; write --{name} {value}"
        )
    if value.lower() in ("true", "false"):
        return name, value.lower() == "true"
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            continue
    return name, value


def as_typed(value: Any) -> str:
    """Return the value of a setting as --set takes it; "-" if it is not set.

    Examples
    --------
    >>> [as_typed(value) for value in (True, 2 / 3, 100, "settles", None)]
    ['true', '0.667', '100', 'settles', '-']
    """
    if value is None:
        return "-"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.3g}" if isinstance(value, float) else str(value)
