"""Options that say how to read DATA, and reading it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.report_path import PLANE, read_embedding, wanted_page
from stablek.cli.show import notes
from stablek.cli.trust import unquoted, vouch

if TYPE_CHECKING:
    from stablek.data import Dataset

#: Options of the reader, with the keyword each one becomes.
READER_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option("--transpose", is_flag=True, help="Items are in columns, not rows."),
    click.option(
        "--labels", metavar="COLUMN", help="Use a column as labels, not as data."
    ),
    click.option(
        "--labels-file",
        metavar="FILE",
        help="Read labels from a table with columns id and class.",
    ),
    click.option("--drop", multiple=True, metavar="COLUMN", help="Leave out a column."),
    click.option(
        "--missing",
        metavar="POLICY",
        help="Missing values: drop-rows, drop-columns, mean or row-mean; by "
        "default refused.",
    ),
    click.option("--delimiter", help="Field separator; detected if not given."),
    click.option(
        "--decimal", help="Decimal mark, '.' or ','; detected if unambiguous."
    ),
    click.option("--encoding", help="Text encoding; UTF-8 and UTF-16 are detected."),
    click.option(
        "--header/--no-header",
        default=None,
        help="Whether the first line names the columns; detected if not given.",
    ),
    click.option(
        "--id-column", metavar="COLUMN", help="The column that names the items."
    ),
    click.option(
        "--number-ids",
        is_flag=True,
        help="Number repeated or empty ids to make them unique.",
    ),
    click.option(
        "--allow-external",
        is_flag=True,
        help="HDF5: follow links to other files; only if you trust the file.",
    ),
    click.option("--layer", help="AnnData: the layer to read."),
    click.option("--use-rep", help="AnnData: the representation, e.g. X_pca."),
    click.option("--sheet", help="Excel: the sheet to read."),
    click.option(
        "--hidden",
        type=click.Choice(["keep", "drop"]),
        help="Excel: read hidden rows and columns, or leave them out.",
    ),
)

INPUT_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    *READER_OPTIONS,
    click.option(
        "--annotations",
        metavar="FILE",
        help="A table of what else you know about the items (batch, sex, "
        "stage ...), joined by id.",
    ),
    click.option(
        "--adjust",
        multiple=True,
        metavar="COLUMN",
        help="Subtract the effect of an annotation (a batch, a covariate) from the "
        "values, after --prepare.",
    ),
    click.option("--prepare", multiple=True, metavar="STEP",
                 help="Prepare the values: standardise-rows, standardise-columns, "
                 "log2, log1p, equal-totals, most-variable:N, pca:N, nmf:N ... "
                 "Repeat the option for further steps."),
)  # fmt: skip


def reader_options(given: dict[str, Any], metric: str) -> dict[str, Any]:
    """Return the settings of the reader; its options are taken out of ``given``."""
    from stablek.data.preparation import WITH_CONSTANT_COLUMNS

    wanted = {
        name: given.pop(name)
        for name in (
            "transpose", "labels", "labels_file", "drop", "missing", "delimiter",
            "decimal", "encoding", "header", "id_column", "number_ids",
            "allow_external", "layer", "use_rep", "sheet", "hidden",
        )
    }  # fmt: skip
    wanted["memory"] = given["memory"]  # a run is bound by it, too
    wanted["precomputed"] = metric in ("precomputed", "similarity")
    wanted["similarity"] = metric == "similarity"
    wanted["keep_constant"] = metric in WITH_CONSTANT_COLUMNS
    return wanted


def read_input(
    source: str, given: dict[str, Any], metric: str = "euclidean"
) -> Dataset:
    """Read the data; the options of INPUT_OPTIONS are taken out of ``given``."""
    from stablek.data.adjustment import adjust
    from stablek.data.preparation import prepare
    from stablek.io import read
    from stablek.io.inspect import first_value
    from stablek.io.readers.annotations import with_annotations

    wanted = reader_options(given, metric)
    steps, adjusted = given.pop("prepare"), given.pop("adjust")
    annotations, plane = given.pop("annotations"), given.pop("embedding", None)
    plane = wanted_page().embedding or plane
    context = click.get_current_context(silent=True)
    with unquoted(source):
        data = made = read(source, **wanted)
        if plane and context:
            context.meta[PLANE] = read_embedding(plane, source, data, wanted)
        if annotations is not None:
            made = with_annotations(data, annotations, encoding=wanted["encoding"])
        made = adjust(prepare(made, steps), adjusted)
    vouch(made)
    if not (given.get("quiet") or (context and context.params.get("quiet"))):
        notes([first_value(data)])
    return made
