"""Results as files: JSON, a table, and labels ready to join."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path

from stablek.errors import InputError
from stablek.io.atomic import write_text
from stablek.result import Result


def check_writable(folder: Path) -> Path:
    """Make the folder if need be, and find out before computing whether it takes files.

    A new folder is private to its user (0700): it will hold the items' names.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = folder / f".stablek-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
    except (FileExistsError, NotADirectoryError):
        msg = f"cannot write in {folder}: it is a file; name a folder with -o"
        raise InputError(msg) from None
    except OSError as error:
        msg = f"cannot write in {folder}: {error.strerror}; name another folder with -o"
        raise InputError(msg) from None
    return folder


def write_result(result: Result, folder: Path) -> None:
    """Write result.json, curve.tsv and labels.tsv; equal runs give equal bytes."""
    write_text(folder / "result.json", result.to_json())
    names = list(result.columns)
    rows = [["k", *names]]
    for place, k in enumerate(result.ks):
        rows.append([str(k), *(repr(float(result.columns[n][place])) for n in names)])
    write_text(folder / "curve.tsv", tsv(rows))
    if result.labels is not None:
        ids = result.data.item_ids() if result.data else range(1, result.n + 1)
        numbered = zip(ids, result.labels, strict=True)
        pairs = [[str(i), str(label + 1)] for i, label in numbered]
        write_text(folder / "labels.tsv", tsv([["id", "cluster"], *pairs]))


def tsv(rows: list[list[str]]) -> str:
    """Return rows as tab-separated text, quoted where a cell needs it."""
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows(rows)
    return text.getvalue()
