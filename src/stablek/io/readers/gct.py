"""Read GCT 1.2 and 1.3 (genes in rows, samples in columns) and CLS.

The two sizes that a GCT file declares are compared with what is there.
"""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from stablek.errors import InputError, unknown_name
from stablek.io.readers.layout import Layout, field_named
from stablek.io.readers.lines import TextLines, text_lines
from stablek.io.readers.source import Source
from stablek.io.readers.table import Options, Table, counted, listed
from stablek.io.readers.text import read_lines
from stablek.machine.memory import afford


def read_gct(source: Source, options: Options) -> Table:
    """Return the table in a GCT file, as it stands: genes in rows.

    With ``transpose``, ``labels`` names a field of the samples' description (GCT 1.3);
    without, one of the genes' description.
    """
    lines = text_lines(source, options.encoding)
    top = [line for _, line in itertools.islice(lines, 3)]
    version = top[0].strip()
    if len(top) < 3:
        raise InputError(f"{source.label} ends in its header: is the file complete?")
    rows, columns, of_rows, of_columns = sizes(top[1], version, source.label)
    afford(source.label, (rows, columns), source.budget)
    names = tuple(name.strip() for name in top[2].split("\t"))
    width = 1 + of_rows + columns
    if len(names) != width:
        raise InputError(
            f"{source.label}: the header has {len(names)} fields, the sizes in line 2 "
            f"ask for {width}: is the file complete?"
        )
    described, column_classes = column_fields(lines, of_columns, of_rows, options)
    layout = Layout(
        delimiter="\t",
        decimal=".",
        names=names,
        width=width,
        first=4 + of_columns,
        id_field=0,
        label_field=None,
        kept=(),
        quotes=False,
        label=source.label,
        decimal_given=True,
    )
    layout = chosen(layout, of_rows, options)
    notes = [f"GCT {version[1:]}, {rows:,} x {columns:,}"]
    if described:
        notes.append(f"fields of the columns: {listed(described, 10)}")
    table = read_lines(lines, layout, source.budget, notes)
    count = table.values.shape[0] + len(layout.dropped_rows)
    if count != rows:
        raise InputError(
            f"{source.label} declares {counted(rows, 'row')} and has {count:,}: "
            "is the file complete?"
        )
    if column_classes is not None:
        picked = [column_classes[j - 1 - of_rows] for j in layout.kept]
        table = replace(table, column_classes=tuple(picked))
    return table


def sizes(line: str, version: str, label: str) -> tuple[int, int, int, int]:
    """Return the declared rows and columns, and how many fields describe each."""
    fields = line.split()
    wanted = 2 if version == "#1.2" else 4
    if len(fields) < wanted or not all(f.isascii() and f.isdigit() for f in fields):
        raise InputError(
            f"{label}: line 2 of a GCT {version[1:]} file holds {wanted} sizes"
        )
    numbers = [int(f[:15]) for f in fields]
    if wanted == 2:
        return numbers[0], numbers[1], 1, 0
    return numbers[0], numbers[1], numbers[2], numbers[3]


def column_fields(
    lines: TextLines, count: int, of_rows: int, options: Options
) -> tuple[list[str], tuple[str, ...] | None]:
    """Return the fields that describe the columns, and the one asked for."""
    named: dict[str, tuple[str, ...]] = {}
    for _, line in itertools.islice(lines, 3, 3 + count):
        fields = [f.strip() for f in line.split("\t")]
        named[fields[0]] = tuple(fields[1 + of_rows :])
    wanted = options.labels if options.transpose and not options.labels_file else None
    if wanted is None:
        return list(named), None
    if wanted not in named:
        raise unknown_name("field of the columns", wanted, named)
    return list(named), named[wanted]


def chosen(layout: Layout, of_rows: int, options: Options) -> Layout:
    """Return the layout with description, labels and dropped columns taken out."""
    label_field = None
    if options.labels and not options.transpose and not options.labels_file:
        label_field = field_named(
            options.labels,
            layout.names[: 1 + of_rows],
            layout.width,
            "field of the rows",
            layout.label,
        )
    out = {j for j, name in enumerate(layout.names) if name in options.drop}
    rows = frozenset(name for name in options.drop if name not in layout.names)
    kept = tuple(j for j in range(1 + of_rows, layout.width) if j not in out)
    if not kept:
        raise InputError(f"{layout.label} has no column of numbers")
    return replace(layout, label_field=label_field, kept=kept, dropped_rows=rows)


def read_cls(source: Source) -> tuple[list[str], str]:
    """Return the labels of a CLS file, one per sample, and how they were read.

    Line 1 holds the number of samples, the number of classes and 1; line 2 the names
    of the classes after "#"; line 3 one label per sample. Labels that are integers
    from 0 are the places of the names; any others stand for the names in the order in
    which they first appear, as GSEA has it.
    """
    lines = [line.strip() for _, line in text_lines(source, None) if line.strip()]
    if len(lines) != 3 or not lines[1].startswith("#"):
        raise InputError(
            f"{source.label}: a CLS file has three lines: sizes, '# names', labels"
        )
    if lines[0].startswith("#"):
        raise InputError(
            f"{source.label}: continuous CLS is not read; give one class per sample"
        )
    names, labels = lines[1][1:].split(), lines[2].split()
    declared = lines[0].split()[:2]
    if declared != [str(len(labels)), str(len(names))]:
        raise InputError(
            f"{source.label} declares {' samples and '.join(declared)} classes, and "
            f"has {len(labels)} labels and {len(names)} names: is it complete?"
        )
    return named_labels(names, labels, source.label)


def named_labels(
    names: Sequence[str], labels: Sequence[str], label: str
) -> tuple[list[str], str]:
    """Return the labels as names of classes, and how that was done."""
    name = Path(label).name
    distinct = list(dict.fromkeys(labels))
    if set(labels) <= set(names):
        return list(labels), f"labels of {name} are names of classes"
    if all(text.isascii() and text.isdigit() for text in distinct):
        places = [int(text) for text in labels]
        if min(places) == 0 and max(places) < len(names):
            return [names[p] for p in places], f"labels of {name} are positions, from 0"
    if len(distinct) != len(names):
        raise InputError(
            f"{label} names {len(names)} classes, its labels are {len(distinct)}"
        )
    meaning = dict(zip(distinct, names, strict=True))
    note = f"labels of {name} in order of appearance: " + ", ".join(
        f"{text} = {meaning[text]}" for text in distinct[:6]
    )
    return [meaning[text] for text in labels], note
