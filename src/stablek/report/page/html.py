"""Write a page as one HTML file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stablek.io.store.atomic import write_text
from stablek.report.page.page import page
from stablek.results.result import Failed, Result
from stablek.results.verdict import Verdict

if TYPE_CHECKING:
    import jinja2


def write_report(
    results: Sequence[Result | Failed] | Result,
    path: str | Path,
    *,
    verdict: Verdict | None = None,
    title: str | None = None,
    anonymous: bool = False,
    embedding: Any = None,
    banner: str = "",
    reload: int = 0,
    command: Sequence[str] = (),
) -> Path:
    """Write the report of one or several results as one self-contained HTML file.

    Parameters
    ----------
    results
        One result, or several; a :class:`stablek.report.Failed` among them shows its
        message in its place.
    path
        The file to write. It is written under another name and renamed, so that a
        reader never sees half of it.
    verdict
        What several measures say together, if it is known; see
        :class:`stablek.report.VerdictLike` for the parts that are shown.
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

    Returns
    -------
    Path
        The file written. Equal results give equal bytes: the page holds no time or
        date, and no path but what a command names.
    """
    text = render(
        results, verdict=verdict, title=title, anonymous=anonymous,
        embedding=embedding, banner=banner, reload=reload, command=command,
    )  # fmt: skip
    target = Path(path)
    write_text(target, text)
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
    """Return the report as text; see :func:`write_report`."""
    several = [results] if isinstance(results, Result) else list(results)
    made = page(
        several, verdict=verdict, title=title, anonymous=anonymous,
        embedding=embedding, banner=banner, reload=reload, command=command,
    )  # fmt: skip
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
