"""What it takes to repeat a run, and whom to cite."""

import hashlib
import shlex
from collections.abc import Sequence
from typing import Any

import numpy as np

from stablek.measures.references import entries_for
from stablek.report.charts.scale import number
from stablek.report.page.blocks import Block, Code, Facts, Section
from stablek.report.page.budget import Part
from stablek.report.page.markup import text_of
from stablek.results.result import Failed, Result
from stablek.results.verdict import Verdict

#: What can be relied on.
SAME = (
    "The same data, settings and seed give the same bytes, whatever the number of "
    "workers."
)

#: The note on a command that nobody gave.
TOGETHER = (
    " The command is made from the settings kept with the result. It does not include "
    "the options for reading and preparing the data."
)


def repeat(
    done: list[Result],
    parts: list[Part],
    judged: Verdict | None,
    *,
    anonymous: bool,
    command: Sequence[str] = (),
) -> Section | None:
    """Return commands, settings, seed and versions.

    The ``command`` is the one that was given, if it is known; an anonymous page does
    not tell it, since it names files, columns and classes.
    """
    if not done:
        return None
    first = done[0]
    if judged is not None and judged.settings:
        name = "DATA" if anonymous else first.data_name
        commands, calls = verdict_calls(judged, name, first.ks)
    else:
        commands = [command_of(result, anonymous=anonymous) for result in done]
        calls = [python_of(result) for result in done]
    lead = SAME
    if command and not anonymous:
        commands = [text_of(shlex.join(["stablek", *command]), 5000)]
    else:
        lead += TOGETHER
    blocks: list[Block] = [
        Code("On the command line", "\n".join(commands)),
        Code(
            "In Python",
            "\n".join(["import stablek", _what_x_is(first, anonymous), *calls]),
        ),
    ]
    blocks.append(_data_facts(first, judged, anonymous=anonymous))
    if judged is not None and judged.settings:
        asked = judged.settings.items()
        rows = [(name.replace("_", " "), _plain(value)) for name, value in asked]
        if not anonymous:
            rows += [("note", text_of(note)) for note in first.notes]
        blocks.append(Facts("The verdict", tuple(rows)))
        parts = []  # the panel's run is a part of it
    for one in parts:
        result = one.result
        # What was asked for and what came of it may bear the same name.
        known = {**result.settings, **result.facts}
        chosen = [
            ("rule", result.rule),
            ("ks", _asked(result.ks, "{} to {}")),
            *(
                (name.replace("_", " "), _plain(value))
                for name, value in known.items()
                if value is not None
            ),
        ]
        if not anonymous:
            chosen += [("note", text_of(note)) for note in result.notes]
        title = f"{result.measure} with {result.algorithm}"
        blocks.append(Facts(title, tuple((a, text_of(b, 400)) for a, b in chosen)))
    versions = first.versions or (judged.versions if judged is not None else {})
    if versions:
        blocks.append(Facts("Versions", tuple(versions.items())))
    return Section("repeat", "Repeat it", tuple(blocks), lead)


def _data_facts(first: Result, judged: Verdict | None, *, anonymous: bool) -> Facts:
    """Return the size of the data as they were given, and their fingerprint."""
    n, m, data = first.n, first.m, first.data
    if judged is not None:  # its run is on coordinates of the judged items
        n, m, data = judged.n, judged.m, judged.data
    rows = [("items \u00d7 columns", f"{n:,} \u00d7 {m:,}"), ("seed", str(first.seed))]
    if not anonymous:
        rows.insert(0, ("data", text_of(first.data_name)))
        if data is not None:
            values = np.ascontiguousarray(data.values)
            sum_ = hashlib.sha256(values.data).hexdigest()
            rows.append(("SHA-256 of the matrix", sum_))
    return Facts("Data", tuple(rows))


def _what_x_is(result: Result, anonymous: bool) -> str:  # noqa: FBT001
    """Return a comment: X is what was clustered, and how it came to be, if known."""
    line = "# X: the values that were clustered, one item per row"
    if anonymous or result.data is None or not result.data.notes:
        return line
    notes = " ".join("; ".join(result.data.notes).split())
    return text_of(f"{line}; notes from reading it: {notes}", 1000)


def verdict_calls(
    judged: Verdict, name: str, ks: tuple[int, ...]
) -> tuple[list[str], list[str]]:
    """Return the command and the call that repeat a verdict."""
    words = ["stablek", "verdict", name, "-k", _asked(ks, "{}:{}")]
    call = f"stablek.verdict(X, ks={_asked(ks, 'range({}, {})', 1)}"
    for key, value in {**judged.settings, "seed": judged.seed}.items():
        if key != "scale":  # a matter of --prepare, which is left out
            words += [f"--{key.replace('_', '-')}", str(value)]
        call += f", {key}={value!r}"
    return [text_of(shlex.join(words), 1000)], [text_of(call + ")", 1000)]


def _asked(ks: tuple[int, ...], form: str, beyond: int = 0) -> str:
    """Return ks as a range in this form, or as the one k."""
    return str(ks[0]) if len(ks) == 1 else form.format(ks[0], ks[-1] + beyond)


def command_of(result: Result, *, anonymous: bool = False) -> str:
    """Return the command that repeats a run."""
    name = "DATA" if anonymous else result.data_name
    measure, algorithm = asked_for(result)
    words = ["stablek", "run", name, "-m", measure, "-a", algorithm]
    words += ["-k", _asked(result.ks, "{}:{}"), "--seed", str(result.seed)]
    for key, value in result.settings.items():
        if key == "metric":
            words += ["--metric", str(value)] if value != "euclidean" else []
        elif key in ("repeats", "fraction"):
            words += [f"--{key}", str(value)]
        else:
            words += ["--set", f"{key}={value}"]
    calibration = result.facts.get("calibration")
    if calibration:
        words += [
            "--calibrate",
            str(calibration["null_sets"]),
            "--null",
            calibration["null"],
        ]
    return text_of(shlex.join(words), 1000)


def asked_for(result: Result) -> tuple[str, str]:
    """Return measure and algorithm as they are asked for.

    A composed measure is called by its parts, which are among the settings; and the
    second of two of one name has a number.
    """
    measure = "composed" if "+" in result.measure else result.measure
    return measure.partition("~")[0], result.algorithm.partition("~")[0]


def python_of(result: Result) -> str:
    """Return the line of Python that repeats a run."""
    settings = "".join(
        f", {key}={value!r}"
        for key, value in result.settings.items()
        if not (key == "metric" and value == "euclidean")
    )
    calibration = result.facts.get("calibration")
    if calibration:
        settings += (
            f", calibrate={calibration['null_sets']}, null={calibration['null']!r}"
        )
        settings += f", level={calibration['level']!r}"
    measure, algorithm = asked_for(result)
    return text_of(
        f"stablek.choose_k(X, {measure!r}, {algorithm!r}, "
        f"ks={_asked(result.ks, 'range({}, {})', 1)}, seed={result.seed}{settings})",
        1000,
    )


def cite(results: Sequence[Result | Failed], judged: Verdict | None) -> Section:
    """Return the citations of exactly the methods used."""
    done = [result for result in results if isinstance(result, Result)]
    names = ["stablek", *(["verdict"] if judged else [])]
    for result in done:
        names += [result.measure, result.algorithm]
    entries = entries_for(names)
    lines = tuple((entry.key, entry.text()) for entry in entries)
    return Section(
        "cite",
        "Cite",
        (
            Facts("Methods used here", lines),
            Code("BibTeX", "\n\n".join(entry.bibtex for entry in entries)),
        ),
    )


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return number(value, 4)
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_plain(v)}" for key, v in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(_plain(v) for v in value)
    return text_of(value, 400)
