"""Fill the figures of which-measure.md from the pages that measured them.

``python docs/make_cli.py`` writes them along with the pages that follow from the code;
a test finds it out when a figure here is no longer the one it was taken from.
"""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
BEGIN = "<!-- figures: made by docs/make_cli.py -->\n"
END = "<!-- end of the figures -->\n"

#: How the default rule of fc is called where rules are compared.
DEFAULT_RULE = "settles"

Rows = list[dict[str, str]]


def tables(page: str) -> list[Rows]:
    """Return the tables of a page, each row by the names of its columns."""
    text = (HERE / page).read_text(encoding="utf-8")
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
        cells = [
            [cell.strip() for cell in line.strip().strip("|").split("|")]
            for line in block.splitlines()
        ]
        head = list(cells[0])
        for place, name in enumerate(head):
            if name in head[:place]:
                head[place] = f"{name} ({place})"
        found.append([dict(zip(head, row, strict=True)) for row in cells[2:]])
    return found


def table_with(page: str, *columns: str) -> Rows:
    """Return the first table of a page that has these columns."""
    for rows in tables(page):
        if rows and set(columns) <= set(rows[0]):
            return rows
    msg = f"docs/{page} has no table with the columns {', '.join(columns)}"
    raise LookupError(msg)


def share(cell: str) -> float:
    """Return the first percentage in a cell."""
    return float(re.findall(r"([\d.]+) %", cell)[0])


def verdict_lines() -> list[str]:
    """Return how often verdict and the usual rules are right, and claim too much."""
    nulls = table_with("wrong.md", "kind", "verdict", "silhouette")
    seen = table_with("wrong.md", "columns", "clusters seen", "verdict")
    whole = next(row for row in seen if row["columns"] == "all")
    lines = [
        "| | exact k, separated clusters | claims clusters where there are none |",
        "|---|---|---|",
    ]
    for name in ("verdict", "bic", "silhouette", "gap", "elbow"):
        claims = [share(row[name]) for row in nulls]
        right = whole[name].partition(";")[0]
        low, high = min(claims), max(claims)
        told = f"{low:g} to {high:g} %, by the kind of data" if low < high else (
            f"{low:g} % of every kind"
        )  # fmt: skip
        lines.append(f"| {name} | {right} | {told} |")
    return lines


def rule_lines() -> list[str]:
    """Return how often fc is right by itself, with each algorithm."""
    rows = table_with("rules.md", "rule", "exact", "claims on null sets")
    ours = next(row for row in rows if row["rule"] == DEFAULT_RULE)
    others = ("rule", "exact", "within one", "claims on null sets")
    names = [name for name in ours if name not in others]
    return [
        "| fc with | all | " + " | ".join(names) + " | claims on null sets |",
        "|---|---|" + "---|" * len(names) + "---|",
        f"| exact k | {share(ours['exact']):g} % | "
        + " | ".join(ours[name] for name in names)
        + f" | {share(ours['claims on null sets']):g} % |",
    ]


def thesis_lines(most: int = 8) -> list[str]:
    """Return the best settings on the thesis's data, with their times."""
    rows = table_with("reproduction.md", "setting", "ours: exact, within one")
    lines = ["| setting | exact, within one | time |", "|---|---|---|"]
    lines += [
        f"| {row['setting']} | {row['ours: exact, within one']} | {row['time']} |"
        for row in rows[:most]
    ]
    return lines


def fast_lines() -> list[str]:
    """Return what the fast forms gain."""
    rows = table_with("fast.md", "measure", "times faster", "same k, %")
    lines = ["| | times faster, hier-a | times faster, kmeans-r |", "|---|---|---|"]
    by_name: dict[str, dict[str, str]] = {}
    for row in rows:
        by_name.setdefault(row["measure"], {})[row["algorithm"]] = row["times faster"]
    lines += [
        f"| {name} | {gain['hier-a']} | {gain['kmeans-r']} |"
        for name, gain in by_name.items()
    ]
    return lines


def figures() -> str:
    """Return the part of the page that is taken from other pages."""
    parts = [
        "**Simulated data** ([how often are we wrong?](wrong.md)): the verdict and "
        "rules in common use.",
        *["", *verdict_lines(), ""],
        "**`fc` by itself**, read by the area (`rule=settles`) on simulated mixtures "
        "([rules](rules.md)). With K-means PAC is read first by default, which is "
        "better (below). No curve can say that there are no clusters; that is what "
        "`--calibrate` is for.",
        *["", *rule_lines(), ""],
        "**The thesis's data** ([reproduction](reproduction.md)): the settings with "
        "the most of five sets within one of the known k.",
        *["", *thesis_lines(), ""],
        "**`--fast`** shares what is drawn among all k ([fast forms](fast.md) compares "
        "the answers).",
        *["", *fast_lines(), ""],
    ]
    return "\n".join(parts)


def page() -> str:
    """Return which-measure.md with its figures as the other pages have them now."""
    text = (HERE / "which-measure.md").read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{figures()}{END}{after}"
