"""Make the pages that follow from the code: ``python docs/make_cli.py``.

docs/cli.md has every command with every option; docs/measures/index.md and
docs/algorithms.md list what ``-m`` and ``-a`` take; docs/paradigm.md has the steps of
every measure (make_paradigm.py), docs/which-measure.md figures taken from other pages
(make_which.py). A test keeps all of them current.
"""

from __future__ import annotations

import runpy
from importlib.util import find_spec
from pathlib import Path

import click

from stablek.cli import COMMANDS, cli
from stablek.cli.explain import title_of
from stablek.measures import MEASURES
from stablek.paradigm.card import card_of
from stablek.paradigm.cluster import ALGORITHMS

HERE = Path(__file__).parent

CODES = """\
| code | meaning |
|---|---|
| 0 | done |
| 1 | failed: a bug, or something unforeseen |
| 2 | wrong options, or the data were refused; the message says where and what to do |
| 4 | finished, but a part failed; the result says which |
| 75 | try again, nothing is lost: folder in use, disk full, or out of memory |
| 130, 143 | interrupted (Ctrl-C, SIGTERM); `stablek resume DIR` continues |
"""

COMPLETION = """\
Put one of these lines where your shell starts (`~/.bashrc`, `~/.zshrc`,
`~/.config/fish/completions/stablek.fish`); commands, options, measures and algorithms
are then completed with Tab.

| shell | line |
|---|---|
| bash (4.4 or newer) | `eval "$(_STABLEK_COMPLETE=bash_source stablek)"` |
| zsh | `eval "$(_STABLEK_COMPLETE=zsh_source stablek)"` |
| fish | `_STABLEK_COMPLETE=fish_source stablek \\| source` |
"""


def cell(text: str) -> str:
    """Return text fit for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("*", "\\*")


def option_row(option: click.Option) -> str:
    """Return one option as a row."""
    names = [f"`{name}`" for name in (*option.opts, *option.secondary_opts)]
    takes = option.metavar
    if takes is None and not option.is_flag:
        kind = option.type
        takes = "|".join(kind.choices) if isinstance(kind, click.Choice) else kind.name
        takes = takes if isinstance(kind, click.Choice) else takes.upper()
    value = f" {cell(takes)}" if takes else ""
    default = ""
    if option.show_default and option.default not in (None, ()):
        given = option.default
        shown = ", ".join(given) if isinstance(given, list | tuple) else given
        default = f" Default: {shown}."
    several = " May be given several times." if option.multiple else ""
    return (
        f"| {', '.join(names)}{value} | {cell(option.help or '')}{several}{default} |"
    )


def command_section(name: str) -> list[str]:
    """Return the section of one command."""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    if isinstance(command, click.Group):
        lines = [f"## {name}", "", cell(command.help or ""), ""]
        for inner, part in command.commands.items():
            lines += described(f"{name} {inner}", part, "###")
        return lines
    return described(name, command, "##")


def described(name: str, command: click.Command, level: str) -> list[str]:
    """Return usage, what it does, its example, and its options."""
    text = command.help or ""
    body, _, example = text.partition("Example: ")
    paragraphs = [" ".join(part.split()) for part in body.split("\n\n")]
    arguments = [p for p in command.params if isinstance(p, click.Argument)]
    words = " ".join(p.human_readable_name.upper() for p in arguments)
    lines = [
        f"{level} {name}",
        "",
        f"`stablek {name} [OPTIONS]{' ' * bool(words)}{words}`",
        "",
    ]
    for paragraph in paragraphs:
        if paragraph:
            lines += [paragraph.replace("*", "\\*"), ""]
    if example:
        lines += [f"Example: `{' '.join(example.split())}`", ""]
    options = [p for p in command.params if isinstance(p, click.Option)]
    if options:
        lines += ["| option | |", "|---|---|", *map(option_row, options), ""]
    return lines


def cli_page() -> str:
    """Return docs/cli.md."""
    lines = [
        "# Command line", "",
        "Made by `python docs/make_cli.py` from the commands themselves.", "",
        "Results go to stdout, progress and notes to stderr. `-k 2:30` means 2 to 30, "
        "both included. Emphasis is for terminals only; `NO_COLOR=1` turns it off.", "",
        "| command | |", "|---|---|",
    ]  # fmt: skip
    for name, line in COMMANDS.items():
        lines.append(f"| [`{name}`](#{name}) | {cell(line)} |")
    lines.append("")
    for name in COMMANDS:
        lines += BENCH if name == "bench" else command_section(name)
    lines += ["## Exit codes", "", *CODES.splitlines(), ""]
    lines += ["## Shell completion", "", *COMPLETION.splitlines()]
    return "\n".join(lines) + "\n"


#: What is said of the command that another distribution brings.
BENCH = [
    "## bench", "",
    "Runs the evidence again. It comes with `pip install ./bench` (stablek-bench); its "
    "commands have [their own page](bench.md).", "",
]  # fmt: skip


def bench_page() -> str:
    """Return docs/bench.md; stablek-bench must be installed."""
    top = [
        "# stablek bench", "",
        "Made by `python docs/make_cli.py`. `pip install ./bench` adds these commands.",
        "",
    ]  # fmt: skip
    lines = [line.replace("### ", "## ") for line in command_section("bench")[2:]]
    return "\n".join([*top, *lines])


def measures_page() -> str:
    """Return docs/measures/index.md."""
    lines = [
        "# Measures", "",
        "Every measure has a page; `stablek explain NAME` prints a short form. See "
        "also [which measure should I use?](../which-measure.md) This table is made "
        "by `python docs/make_cli.py`.",
        "", "| measure | what it does | when to use it |", "|---|---|---|",
    ]  # fmt: skip
    for name, factory in sorted(MEASURES.items()):
        what = cell(title_of(name, factory.__doc__))
        lines.append(
            f"| [`{name}`]({name}.md) | {what} | {cell(card_of(factory).when)} |"
        )
    lines += ["", "```{toctree}", ":hidden:", "", *sorted(MEASURES), "```"]
    return "\n".join(lines) + "\n"


def algorithms_page() -> str:
    """Return docs/algorithms.md."""
    lines = [
        "# Algorithms", "",
        "In Python, any object with `fit_predict` and `n_clusters` or `n_components` "
        "works, too; on the command line, name it with `-a module:name`. This table is "
        "made by `python docs/make_cli.py`.",
        "", "| algorithm | what it does | when to use it |", "|---|---|---|",
    ]  # fmt: skip
    for name, factory in ALGORITHMS.items():
        what = cell(title_of(name, factory.__doc__))
        lines.append(f"| `{name}` | {what} | {cell(card_of(factory).when)} |")
    return "\n".join(lines) + "\n\n" + FACTORS


FACTORS = """\
## Factors of NMF

With an algorithm `nmf-*`, the result also has the factors of the whole data at the
chosen k: metagenes (W, features by components, each summing to 1) and patterns (H
transposed, items by components). They are computed when you first ask for them.

```python
import stablek
from stablek.datasets import demo

result = stablek.choose_k(demo().values, "fc", "nmf-a", range(2, 6), repeats=20)
metagenes, patterns = result.factors["metagenes"], result.factors["patterns"]
print(metagenes.shape, patterns.shape)
```

`stablek run ... -a nmf-a -o DIR` writes them as `metagenes.tsv` and `patterns.tsv`.
`labels.tsv` is the partition of the measure; for consensus measures it comes from all
repeats together, so an item may be in another cluster than the largest entry of its
pattern says. `stablek factorize` gives one factorisation, the best of several starts,
with a picture.

`nmf-*` run in single precision and stop early, because a partition settles before its
factors do. A variant is named after a plus sign: a remedy for negative values
(`nmf-a+fold`, see [shift or fold](nmf_remedies.md)), or another update rule
(`nmf-r+kl`; `nmf-r+brunet` is the thesis's: multiplicative updates for the
Kullback-Leibler divergence until the partition is stationary).
"""


#: Every page this file makes.
PAGES = {
    "cli.md": cli_page,
    "measures/index.md": measures_page,
    "algorithms.md": algorithms_page,
    "paradigm.md": runpy.run_path(str(HERE / "make_paradigm.py"))["page"],
    "which-measure.md": runpy.run_path(str(HERE / "make_which.py"))["page"],
}


def main() -> None:
    """Write the pages."""
    pages = dict(PAGES)
    if find_spec("stablek_bench"):
        pages["bench.md"] = bench_page
    for name, make in pages.items():
        (HERE / name).write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    main()
