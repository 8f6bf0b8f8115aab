"""Results as text on stdout, notes on stderr."""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from stablek.results.result import Result

#: Columns of a curve that a terminal shows.
MOST_COLUMNS = 7

#: The indices of agreement besides the adjusted Rand index, in words.
INDEX_WORDS = {"f": "F", "fm": "Fowlkes-Mallows", "rand": "Rand"}


def notes(lines: Iterable[str]) -> None:
    """Print notes to stderr."""
    for line in lines:
        click.echo(plain(line), err=True)


def show_result(
    result: Result, seconds: float, *, as_json: bool, as_csv: bool, quiet: bool
) -> None:
    """Print a result in the form asked for."""
    if as_json:
        answer = result.to_dict()
        columns = answer.pop("columns")
        answer.pop("labels")
        shown = {**answer, **columns, "seconds": round(seconds, 3)}
        click.echo(json.dumps(shown, allow_nan=False))
        return
    if as_csv:
        click.echo(result.table.to_csv(), nl=False)
        return
    click.echo(bold(f"k* = {'-' if result.k_star is None else result.k_star}"))
    click.echo(paragraph(result.sentence))
    if len(result.candidates) > 1:
        click.echo("equally good: " + ", ".join(str(k) for k in result.candidates))
    if others := result.other_seeds():
        click.echo(paragraph(others))
    click.echo(
        f"{result.measure} with {result.algorithm}, "
        f"k = {':'.join(map(str, dict.fromkeys((result.ks[0], result.ks[-1]))))}, "
        f"repeats: {result.facts.get('repeats', 1)}, seed {result.seed}, "
        f"{result.n} x {result.m}, {seconds:.2f} s"
    )
    if "classes" in result.facts:
        click.echo(agreement_line(result.facts["classes"]))
    click.echo("")
    click.echo(table(curve_rows(result), right=True))
    if not quiet:
        names = ("fewer_clusters", "more_clusters")
        numbers = [result.facts[name] for name in names if name in result.facts]
        notes(f"note: {line}" for line in (*numbers, *result.failures[:5]))
        alone = f"note: this is the opinion of one measure ({result.measure})"
        if "area" in result.columns and "calibration" not in result.facts:
            alone += ", which cannot answer 'no clusters'; --calibrate 99 can"
        notes([f"{alone}. `stablek verdict` weighs several against null models."])


def agreement_line(indices: Mapping[str, float]) -> str:
    """Return how far a partition agrees with the user's labels, by every index.

    Examples
    --------
    >>> agreement_line({"adj": 0.455, "fm": 0.7})
    'agreement with your labels (adjusted Rand index): 0.455; Fowlkes-Mallows 0.700'
    """
    shown = {name: f"{value:.3f}" for name, value in indices.items()}
    adjusted = shown.pop("adj")
    others = ", ".join(f"{INDEX_WORDS[name]} {text}" for name, text in shown.items())
    line = f"agreement with your labels (adjusted Rand index): {adjusted}"
    return f"{line}; {others}" if others else line


def curve_rows(result: Result) -> list[Sequence[str]]:
    """Return the curve as rows of text, main column first, the chosen k marked."""
    names = [result.main, *(n for n in result.columns if n != result.main)][
        :MOST_COLUMNS
    ]
    rows: list[Sequence[str]] = [("", "k", *names)]
    for place, k in enumerate(result.ks):
        mark = "*" if k == result.k_star else ""
        cells = [number(result.columns[name][place]) for name in names]
        rows.append((mark, str(k), *cells))
    return rows


def number(value: float) -> str:
    """Return a number in at most seven characters or so."""
    if not math.isfinite(value):
        return "-"
    if value == 0:
        return "0"
    if abs(value) >= 1e5 or abs(value) < 1e-3:
        return f"{value:.2e}"
    return f"{value:.4g}"


def table(rows: Sequence[Sequence[Any]], *, right: bool = False) -> str:
    """Return rows as aligned text; the first row is the heading."""
    texts = [[plain(str(cell)) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in texts) for i in range(len(texts[0]))]
    lines = []
    for row in texts:
        cells = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width in zip(row, widths, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def listed(title: str, lines: Sequence[str]) -> None:
    """Print lines under a title, if there are any."""
    if lines:
        click.echo(f"\n{title}:")
        for line in lines:
            click.echo(paragraph(line, indent="  "))


def short(value: float | None) -> str:
    """Return a share, or a dash where it is not known."""
    return "-" if value is None else f"{value:.2f}"


def cell(value: Any) -> str:
    """Return a value as a table on disk has it; nothing where it is not known."""
    if value is None or value != value:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def bold(text: str) -> str:
    """Return text that stands out on a terminal; click drops that elsewhere.

    Nobody who sets NO_COLOR wants it (https://no-color.org).
    """
    return text if os.environ.get("NO_COLOR") else click.style(text, bold=True)


def paragraph(text: str, indent: str = "", *, hang: int = 0) -> str:
    """Return text wrapped at words to the width of the terminal, at most 100.

    ``hang``: how much farther later lines are indented.

    Piped output is not wrapped: a line is a sentence there.
    """
    text = plain(text)
    if not sys.stdout.isatty():
        return f"{indent}{text}"
    width = min(shutil.get_terminal_size().columns, 100)
    return textwrap.fill(
        text, width, initial_indent=indent, subsequent_indent=indent + " " * hang,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def plain(text: str) -> str:
    """Return text without control characters, so that no id can steer a terminal.

    Signs of ours that a terminal may not know are written in ASCII.
    """
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        "≤".encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("≤", "<=")
    return "".join(c if c.isprintable() or c == " " else "\ufffd" for c in text)
