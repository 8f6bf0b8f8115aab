"""Whom a command obeys: the user in all, a file or a folder within bounds.

A configuration or a run folder may come from somebody else. Unless the user says
``--trust`` it may not name code, nor files elsewhere, and no message quotes the files
that a folder names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.config import NOT_KEPT
from stablek.errors import InputError

if TYPE_CHECKING:
    from stablek.data import Dataset

#: Options that name what is imported (module:name), and files that are read.
CODE = ("measure", "measures", "algorithm", "algorithms")
FILES = ("data", "labels_file", "annotations", "embedding")

#: Options that trust somebody; that is for the user to say, and not for a folder.
TRUSTING = ("--scheduler", "--allow-external", "--trust")

#: The folder on whose word a command is given.
_FOLDER: ContextVar[Path | None] = ContextVar("folder", default=None)


TRUST_CONFIG = click.option(
    "--trust",
    is_flag=True,
    help="Allow the --config file to name code, a scheduler, and files elsewhere.",
)

TRUST_FOLDER = click.option(
    "--trust",
    is_flag=True,
    help="Allow DIR to name code, a scheduler, and files elsewhere.",
)


def needs_trust(given: Mapping[str, Any]) -> bool:
    """Tell whether options, as parsed, import code or trust somebody.

    Whatever has a colon is imported as module:name, be it a name or not ("1:x").

    Examples
    --------
    >>> needs_trust({"measure": "fc", "ks": range(2, 5), "prepare": ("pca:5",)})
    False
    >>> needs_trust({"measure": "1:x"}), needs_trust({"scheduler": "tcp://host:8786"})
    (True, True)
    """
    return any(":" in str(given.get(name)) for name in CODE) or any(
        given.get(text.strip("-").replace("-", "_")) for text in TRUSTING
    )


def unsafe_to_repeat(arguments: Sequence[str]) -> bool:
    """Tell whether a kept command must not be given again from its folder.

    A folder may come from somebody else: it must not choose what is imported
    (module:name, in whatever form an option takes it), which scheduler is obeyed, nor
    name other files to read options from or to write. ``needs_trust`` looks at the
    options once they are parsed.

    Examples
    --------
    >>> unsafe_to_repeat(["run", "x.tsv", "-k", "2:9", "--prepare", "pca:5"])
    False
    >>> [unsafe_to_repeat([t]) for t in ("a.b:c", "-ma:b", "--measure=a:b", "--log=x")]
    [True, True, True, True]
    """
    import_path = re.compile(r"[^\W\d][\w.]*:[^\W\d]")
    return any(
        import_path.search(text)
        or text == "-"
        or text.partition("=")[0] in (*NOT_KEPT, *TRUSTING)
        for text in arguments
    )


def is_within(path: Path, folders: Sequence[Path]) -> bool:
    """Tell whether a path lies in one of some folders, and not behind a hidden one."""
    place = path.resolve()
    for folder in folders:
        base = folder.resolve()
        if base == Path(base.anchor) or not place.is_relative_to(base):
            continue
        inner = place.relative_to(base).parts
        if not any(part.startswith(".") for part in inner):
            return True
    return False


def refuse_config(ctx: click.Context, config: Path | None) -> None:
    """Refuse a configuration that names code or files elsewhere, unless it is trusted.

    It may name files in its own folder, and an output folder in the current one, too.
    """
    if config is None or ctx.params.get("trust"):
        return
    source = click.core.ParameterSource.DEFAULT_MAP
    named = {
        name: value
        for name, value in (ctx.default_map or {}).items()
        if ctx.get_parameter_source(name) is source
    }
    if needs_trust(named):
        raise InputError(
            f"{config} names code to import, or sets trust; if you trust it, add "
            "--trust, or give that option yourself"
        )
    folder = config.resolve().parent
    files = {name: [folder] for name in FILES} | {"out": [folder, Path.cwd()]}
    for name, near in files.items():
        if value := far_file(named, name, near):
            raise InputError(
                f"{config} names {value}, which lies outside its own folder; if you "
                f"trust it, add --trust, or give --{name.replace('_', '-')} yourself"
            )


def far_file(
    given: Mapping[str, Any], name: str, near: Sequence[Path], place: Path = Path()
) -> str:
    """Return the file that an option names if it lies in none of these folders.

    Otherwise ""; so, too, where --embedding names a representation and no file.
    """
    if given.get(name) is None:
        return ""
    value = str(given[name])
    if name == "embedding" and not (place / value).exists():
        return ""
    return "" if is_within(place / value, near) else value


def refuse_elsewhere(given: Mapping[str, Any], where: str, folder: Path) -> None:
    """Refuse the command of a folder that reads files far from it.

    They may be in the folder, next to it, or in the current folder; ``where``
    is where the command was given.
    """
    place = Path(where.replace("\0", ""))
    if not place.is_dir():
        return  # which is reported later
    here = folder.resolve()
    near = [here, here.parent, Path.cwd()]
    for name in FILES:
        if value := far_file(given, name, near, place):
            raise InputError(
                f"{folder} names {value}, which is neither in it, nor next to it, nor "
                "in the folder you are in; if you trust it, add --trust, or give its "
                "command yourself"
            )


@contextmanager
def on_the_word_of(folder: Path, *, trust: bool) -> Iterator[None]:
    """Give the command of a folder inside; unless trusted, quote no file it names."""
    token = _FOLDER.set(None if trust else folder.resolve())
    try:
        yield
    finally:
        _FOLDER.reset(token)


@contextmanager
def unquoted(source: str) -> Iterator[None]:
    """Say nothing of the content of a file that a folder names and that is refused."""
    folder = _FOLDER.get()
    try:
        yield
    except InputError:
        if folder is None:
            raise
        raise InputError(
            f"{source}, which {folder} names, cannot be read as it was; give the "
            "command of the folder yourself to see why, or add --trust"
        ) from None


def vouch(data: Dataset) -> None:
    """Refuse data that are not those of the folder on whose word they were read."""
    folder = _FOLDER.get()
    if folder is None:
        return
    from stablek.io.store.manifest import manifest_of, read_manifest, refuse_other_run

    old, new = read_manifest(folder).get("data"), manifest_of(data, {})["data"]
    refuse_other_run(folder, {"data": old}, {"data": new})
