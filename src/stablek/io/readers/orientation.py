"""Whether the items are in the rows, as they are taken, or perhaps in the columns.

Nothing is transposed without the flag. Where a doubt is due, a note says what to do.
"""

import re
from collections.abc import Sequence

from stablek.io.readers.table import Options, Table, counted

#: A table with at least so many rows, and few columns, may have genes in its rows.
GENES = 1000
#: So few items are too few for an answer. New items may come one by one.
FEW = 10

#: Numbered names of what is measured, and of what it is measured in.
FEATURE = re.compile(
    r"(?:gene|probe|probeset|transcript|protein|peptide|metabolite|marker|feature|snp)"
    r"[ _.-]?\d+|ENS[A-Z]*[GTP]\d{6,}(?:\.\d+)?|cg\d{6,}|rs\d{3,}",
    re.IGNORECASE,
)
ITEM = re.compile(
    r"(?:sample|patient|subject|participant|donor|individual|specimen|biopsy|cell"
    r"|tumou?r|mouse|item)[ _.-]?\d+|GSM\d+|TCGA-.+",
    re.IGNORECASE,
)
#: The share of the names that must look alike.
MOST = 0.9


def orientation(table: Table, options: Options, suffix: str) -> list[str]:
    """Return the sentence on rows and columns, and a doubt where one is due."""
    n, m = table.values.shape
    if options.precomputed:
        return [f"{n:,} items, their distances given"]
    if options.transpose:
        how = "columns of the file are items, as --transpose says"
    else:
        how = "rows are items; --transpose if not"
    notes = [f"{counted(n, 'item')} x {counted(m, 'column')} ({how})"]
    flag = "leave out --transpose" if options.transpose else "use --transpose"
    if n >= 10 * m and n >= GENES and m > 5 and options.use_rep is None:
        notes.append(
            f"{n:,} x {m:,}: if the rows are genes and you want to group the {m:,} "
            f"samples, {flag}"
        )
    elif m == 1:
        notes.append("1 column: distances are one-dimensional, which is fine")
    elif suffix == ".gct" and not options.transpose:
        notes.append("GCT has genes in rows: to group the samples, use --transpose")
    elif looks_turned(table, options):
        what = "rows" if options.transpose else "columns"
        notes.append(
            f"warning: by their names, the {what} of the file are items; to group "
            f"these, {flag}"
        )
    elif n < min(FEW, m) and options.fewest > 1:
        notes.append(
            f"warning: {counted(n, 'item')} and {counted(m, 'column')}"
            f"{columns_advice(options)}"
        )
    return notes


def columns_advice(options: Options) -> str:
    """Return what to do if items were taken for columns."""
    if options.transpose:
        return "; if your items are in rows, leave out --transpose"
    return "; if your items are in columns, add --transpose"


def looks_turned(table: Table, options: Options) -> bool:
    """Tell whether the names of rows are those of features, or columns those of items.

    Only if the other names do not say the opposite; a representation has no names.
    """
    if options.use_rep is not None:
        return False
    features, items = share(table.ids, FEATURE), share(table.columns, ITEM)
    against = max(share(table.ids, ITEM), share(table.columns, FEATURE))
    return max(features, items) >= MOST and against < 1 - MOST


def share(names: Sequence[str], pattern: re.Pattern[str]) -> float:
    """Return the share of the names that are of a kind.

    Examples
    --------
    >>> share(["gene0", "Gene 12", "ENSG00000141510", "height"], FEATURE)
    0.75
    >>> share(["sample_1", "cell2", "s3"], ITEM) == 2 / 3
    True
    """
    fit = sum(pattern.fullmatch(name.strip()) is not None for name in names)
    return fit / len(names) if names else 0.0
