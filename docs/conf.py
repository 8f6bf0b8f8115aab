"""Sphinx: ``pip install '.[docs]' && sphinx-build -W docs docs/_build``."""

from pathlib import Path
from typing import Any

from stablek.version import __version__

project = "stablek"
copyright = "the stablek developers"
author = "The stablek developers"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
exclude_patterns = ["_build", "**/.ipynb_checkpoints"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3

autodoc_typehints = "none"  # the docstrings say it in words
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

html_theme = "pydata_sphinx_theme"
html_title = "stablek"
html_show_sourcelink = False
html_theme_options = {
    "navigation_with_keys": False,
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "header_links_before_dropdown": 5,
    "navbar_end": ["theme-switcher"],
}
html_sidebars = {"*": []}  # only the folders have a section to walk through
# Nothing is fetched when a page is opened: no fonts, no scripts from elsewhere.
html_use_opensearch = ""


def write_sample(app: Any, error: Exception | None) -> None:
    """Write the report of the demo next to the pages: the home page links to it."""
    if error is not None or app.builder.format != "html":
        return
    import stablek
    from stablek.data import Dataset
    from stablek.datasets.simulated import demo

    made = demo()
    names = {name: tuple(made.facts[name]) for name in ("ids", "columns")}
    data = Dataset(made.values, name="demo", **names)
    stablek.verdict(data).report(Path(app.outdir) / "sample-report.html")


def setup(app: Any) -> None:
    """Tell Sphinx what to do at the end."""
    app.connect("build-finished", write_sample)
