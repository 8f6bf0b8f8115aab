"""Sphinx: ``pip install '.[docs]' && sphinx-build -W docs docs/_build``."""

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
    "header_links_before_dropdown": 6,
    "navbar_end": ["theme-switcher"],
}
html_sidebars = {"*": []}  # only the folders have a section to walk through
# Nothing is fetched when a page is opened: no fonts, no scripts from elsewhere.
html_use_opensearch = ""
