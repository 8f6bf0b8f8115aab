"""Write a page as one HTML file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stablek.io.store.atomic import write_text
from stablek.report.page.markup import text_of
from stablek.report.page.page import page
from stablek.results.result import Failed, Result
from stablek.results.verdict import Verdict

if TYPE_CHECKING:
    import jinja2


def write_report(
    results: Sequence[Result | Failed] | Result, path: str | Path, **settings: Any
) -> Path:
    """Write the report of one or several results as one HTML file; return its path.

    ``settings`` are those of :func:`render`. The file is written under another name
    and renamed, so that a reader never sees half of it.
    """
    target = Path(path)
    write_text(target, render(results, **settings))
    return target


def render(
    results: Sequence[Result | Failed] | Result,
    *,
    verdict: Verdict | None = None,
    title: str | None = None,
    anonymous: bool = False,
    embedding: Any = None,
    banner: str = "",
    reload: int = 0,
    command: Sequence[str] = (),
) -> str:
    """Return the report of one or several results as self-contained HTML.

    Equal results give equal bytes: the page holds no time or date, and no path but what
    a command names.

    Parameters
    ----------
    results
        One result, or several; a :class:`stablek.report.Failed` among them shows its
        message in its place.
    verdict
        What several measures say together, if it is known.
    title
        Of the page; by default the name of the data.
    anonymous
        Whether to put numbers in the place of ids, labels and file names.
    embedding
        A plane of your own to draw the items in, in place of principal components:
        an array, a DataFrame (its index is matched with the ids, if there are any) or
        a Dataset, with a row per item and two columns.
    banner, reload
        What to say above all else, such as that the run is not finished, and after how
        many seconds a browser loads the page again; 0: never.
    command
        The words of the command that was given, for "Repeat it", such as
        ``("run", "x.tsv", "--seed", "7")``. Where there is none, one is put together
        from the settings; an anonymous page does so, too.
    """
    several = [results] if isinstance(results, Result) else list(results)
    made = page(several, verdict, anonymous=anonymous, embedding=embedding,
                command=command)  # fmt: skip
    made = replace(made, title=text_of(title or made.title), banner=banner,
                   reload=reload)  # fmt: skip
    environment = _environment()
    script = environment.get_template("script.js").render()
    sum_ = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{sum_}'; base-uri 'none'; form-action 'none'"
    )
    template = environment.get_template("report.html.j2")
    return template.render(page=made, policy=policy) + "\n"


@cache
def _environment() -> jinja2.Environment:
    """Return the template engine: everything is escaped, nothing may be undefined."""
    import jinja2

    return jinja2.Environment(
        loader=jinja2.PackageLoader("stablek.report.page"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
