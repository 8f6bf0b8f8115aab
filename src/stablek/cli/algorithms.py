"""``stablek algorithms``: what can cluster."""

import json

import click

from stablek.cli.explain import title_of
from stablek.cli.options import JSON_OPTION
from stablek.cli.show import table


@click.command("algorithms")
@JSON_OPTION
def command(*, as_json: bool) -> None:
    """List the clustering algorithms.

    In Python, any object with fit_predict and n_clusters works, too; on the command
    line, name it as module:name.

    Example: stablek algorithms
    """
    from stablek.paradigm.cluster import ALGORITHMS

    lines = {name: title_of(name, make.__doc__) for name, make in ALGORITHMS.items()}
    if as_json:
        click.echo(json.dumps(lines))
        return
    click.echo(table([("algorithm", "what it does"), *lines.items()]))
