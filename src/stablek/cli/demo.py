"""``stablek demo``: the main job on a bundled data set."""

import os
from pathlib import Path

import click

from stablek.cli.options import QUIET_OPTION, SEED_OPTION
from stablek.cli.report_path import PageOptions, page_options, report_line
from stablek.cli.show import notes
from stablek.errors import InputError


@click.command("demo")
@click.option(
    "-o",
    "--out",
    default="stablek-demo",
    show_default=True,
    metavar="DIR",
    help="Folder for the data, the results and the report.",
)
@SEED_OPTION
@QUIET_OPTION
def command(*, out: str, seed: int, quiet: bool) -> int:
    """Run a verdict on simulated expression data and write a report.

    Example: stablek demo
    """
    from stablek.kernels.helper import HELPER

    if (os.cpu_count() or 1) > 1:
        HELPER.start()  # it compiles while the rest is imported
    from stablek.api.verdict import verdict
    from stablek.cli.verdict import show, write
    from stablek.data import Dataset
    from stablek.datasets.simulated import demo
    from stablek.engine.progress import Progress
    from stablek.io.store.atomic import write_text
    from stablek.io.store.results import output_folder, tsv

    made = demo(seed)
    ids, columns = made.facts["ids"], made.facts["columns"]
    rows = [["id", *columns]]
    for name, row in zip(ids, made.values, strict=True):
        rows.append([name, *(repr(float(value)) for value in row)])
    data = Dataset(made.values, ids=tuple(ids), columns=tuple(columns), name="demo")
    with output_folder(Path(out)) as folder:
        file = folder / "data.tsv"
        if file.exists() and not file.read_bytes().startswith(tsv(rows[:1]).encode()):
            raise InputError(
                f"{file} already exists and is not from a demo; name another folder "
                "with -o"
            )
        write_text(file, tsv(rows))
        if not quiet:
            notes([f"{len(ids)} simulated samples x {len(columns)} genes, in {file}"])
        with Progress(quiet=quiet) as progress:
            answer = verdict(data, seed=seed, watch=progress)
        show(answer)
        with page_options(PageOptions(command=("demo", "--seed", str(seed)))):
            write(answer, folder)
    if not quiet:
        notes(["", "Now with your own table: stablek FILE -o results"])
        notes(["What a word or a column means: stablek explain jaccard"])
        report_line(folder)
    return 0
