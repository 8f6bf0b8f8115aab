"""The data of the page "Reproduction", and how near they are to the thesis's."""

from __future__ import annotations

from stablek_bench.beyond import BEYOND
from stablek_bench.run import Bench

FINGERPRINTS = """\
A printed Adjusted Rand index belongs to one partition of one matrix: where ours, cut at
the k that the thesis prints, has the same six digits, the values are the thesis's.
Every distinct printed index of a set and a hierarchical algorithm is a fingerprint;
those of consensus matrices are matched if one of five seeds gives them. CNS Rat cannot
be tested: its six classes are missing. An index of 1, 0 or that of a single item split
off says little: sets that match no more are "near", not "identified".
"""


def data_table(bench: Bench) -> str:
    """Return which files stand for the data sets, as a Markdown table."""
    lines = [["thesis", "here", "n x m", "gold k", "how close"]]
    for name, source in bench.sources.items():
        loaded = bench.load(name)
        close = f"{source.close}; {source.note}" if source.note else source.close
        if loaded is None:
            lines.append([name, "-", "-", str(source.gold), close])
        else:
            data = loaded.data
            size = f"{data.n} x {data.m}"
            lines.append([name, data.name, size, str(loaded.gold), close])
    return markdown(lines)


def fingerprints_table(bench: Bench) -> str:
    """Return how many printed indices the values we use match, and others would."""
    table = BEYOND["fingerprints"]
    lines = [["set", "preparation in use", "matched", "which", "others, at most"]]
    for dataset in table.columns:
        own = bench.sources[dataset].preparation
        answers = {name: bench.answer(r, dataset) for name, r in table.rows.items()}
        mine = answers.get(own)
        facts = (mine.facts if mine else None) or {}
        if mine is None or mine.k is None or "of" not in facts:
            continue
        others = {n: a.k for n, a in answers.items() if a and a.k is not None}
        others.pop(own)
        best = max(others.values(), default=0)
        names = [n for n, k in others.items() if k == best]
        told = f"{best} by {len(others)} others"
        if best and len(names) < 3:
            told += f" ({', '.join(names)})"
        told = told if others else "no other tried yet"
        lines.append([dataset, own, f"{mine.k} of {facts['of']}",
                      ", ".join(facts["which"]) or "-", told])  # fmt: skip
    if len(lines) == 1:
        return "Not computed yet."
    return FINGERPRINTS + "\n" + markdown(lines)


def markdown(lines: list[list[str]]) -> str:
    """Return rows of text as a Markdown table; the first is the heading."""
    # A lone asterisk beside another would be emphasis.
    texts = [[cell.replace("*", "\\*") for cell in line] for line in lines]
    heading, *rest = ["| " + " | ".join(line) + " |" for line in texts]
    return "\n".join([heading, "|" + "---|" * len(lines[0]), *rest])
