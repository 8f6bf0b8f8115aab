"""The words of a command as they were typed: some are left out or shortened."""

from collections.abc import Collection, Sequence
from pathlib import Path

#: Options with a value, and without, that change no result.
ELSEWHERE = ("--out", "-o", "--jobs", "-j", "--backend", "--scheduler", "--shard")
ASIDE = ("--quiet", "-q", "--verbose", "-v", "--restart", "--json", "--csv")


def without(
    words: Sequence[str], valued: Collection[str], flags: Collection[str] = ()
) -> list[str]:
    """Return the words without some options: those with a value, and flags.

    Examples
    --------
    >>> without(["run", "x", "--memory=2G", "-qoout", "-k2:5"], ["--memory"])
    ['run', 'x', '-qoout', '-k2:5']
    >>> without(["run", "x", "-qo", "out", "-k2:5", "--", "-q"], ["-o"], ["-q"])
    ['run', 'x', '-k2:5', '--', '-q']
    """
    kept: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            return [*kept, word, *rest]
        name, joined = word, ""
        if word.startswith("--"):
            name, joined, _ = word.partition("=")
        elif word.startswith("-") and word != "-":  # short ones, several in a word
            letters = word[1:]
            while letters and f"-{letters[0]}" in flags:
                letters = letters[1:]
            if not letters:
                continue
            name, joined = f"-{letters[0]}", letters[1:]
        if name in valued:
            if not joined:
                next(rest, None)
        elif word not in flags:
            kept.append(word)
    return kept


def repeatable(words: Sequence[str]) -> list[str]:
    """Return the words of a command that determine its results.

    Where they go, what is printed and who works changes no bit. Of an absolute path
    the name is left: folders of a user's own are nobody else's business.

    Examples
    --------
    >>> repeatable(["run", "/home/a/x.tsv", "-o", "out", "-qj2", "-k", "2:5"])
    ['run', 'x.tsv', '-k', '2:5']
    """
    return [_named(word) for word in without(words, ELSEWHERE, ASIDE)]


def _named(word: str) -> str:
    option, equals, value = word.partition("=") if word[:2] == "--" else ("", "", word)
    name = (Path(value).name or value) if Path(value).is_absolute() else value
    return f"{option}{equals}{name}"
