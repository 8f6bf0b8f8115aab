"""``stablek bench knees``: which rule reads a knee best."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("knees")
@click.option(
    "--data",
    type=click.Path(file_okay=False, exists=True),
    metavar="DIR",
    help="Folder of the thesis's data: report on its tables, too.",
)
@click.option("-o", "--out", metavar="FILE", help="Write there; otherwise print.")
@click.option("--seeds", type=click.IntRange(min=1), help="Only the first, as a trial.")
def knees(*, data: str | None, out: str | None, seeds: int | None) -> int:
    """Choose among rules that read a knee, and report them on fresh simulations.

    Example: stablek bench knees --data DIR -o docs/knees.md
    """
    from stablek.io.store.atomic import write_text
    from stablek_bench.knee_page import page
    from stablek_bench.knees import CHOOSING, REPORTING

    text = page(data, CHOOSING[:seeds], REPORTING[:seeds])
    if out:
        write_text(Path(out), text)
    else:
        click.echo(text, nl=False)
    return 0
