"""Options of ``stablek run`` that name ingredients instead of a measure."""

from collections.abc import Callable
from typing import Any

import click

#: Options whose presence means: compose a measure.
STEPS = {
    "perturb": "how the data are perturbed",
    "split": "how a sample is split",
    "statistic": "what is counted",
    "synopsis": "how it is summarised",
    "significance": "how k is chosen",
}
HELP = "Compose a measure: {}. `stablek explain composed` lists the words."

COMPOSE_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--fast/--no-fast",
        default=None,
        help="Share the sample of a repeat among all k.",
    ),
    click.option(
        "--index", help="External index, for measures that use one: adj, fm or f."
    ),
    *(
        click.option(f"--{step}", metavar="WORD", help=HELP.format(what))
        for step, what in STEPS.items()
    ),
    click.option(
        "--null-sets", type=int, help="Null sets, for measures that draw them."
    ),
)


def as_settings(given: dict[str, Any]) -> None:
    """Turn these options into settings of the measure, as --set would.

    Where a step is named the measure is "composed", which has the steps as settings.
    """
    steps = {name: given.pop(name) for name in STEPS}
    if any(steps.values()):
        context = click.get_current_context()
        default = click.core.ParameterSource.DEFAULT
        if context.get_parameter_source("measure") is not default:
            named = next(name for name, value in steps.items() if value)
            raise click.UsageError(
                f"-m {given['measure']} is a whole measure, --{named} a step of a "
                "composed one; leave one of them out"
            )
        given["measure"] = "composed"
        if context.get_parameter_source("null") is not default:
            steps["null_model"] = given["null"]
    for name in ("fast", "index", "null_sets"):
        steps[name] = given.pop(name)
    more = tuple(f"{name}={v}" for name, v in steps.items() if v is not None)
    given["settings"] = (*given["settings"], *more)
