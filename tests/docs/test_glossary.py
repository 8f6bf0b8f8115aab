"""Every column that a verdict writes is explained, and the page is current."""

import runpy
from pathlib import Path

import numpy as np

import stablek
from stablek.cli.explain import explain
from stablek.panel.description import stages
from stablek.panel.gate import FIRM, SUGGESTIVE
from stablek.results.annotations import ANNOTATION_COLUMNS
from stablek.results.glossary import COLUMNS, known_words
from stablek.results.markers import MARKER_COLUMNS, STABLE

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_is_made_from_the_words():
    made = runpy.run_path(str(DOCS / "make_glossary.py"))["glossary"]()
    assert (DOCS / "glossary.md").read_text(encoding="utf-8") == made


def test_every_column_is_explained():
    rng = np.random.default_rng(0)
    X = np.repeat([[0.0, 0.0], [9.0, 0.0]], 20, axis=0) + rng.normal(size=(40, 2))
    own = ["a", "b"] * 20
    v = stablek.verdict(X, range(2, 4), labels=own, null_sets=4, level=0.5, jobs=1)
    assert {*v.user_labels["clusters"][0]} == {*COLUMNS["classes.tsv"]}
    assert {*v.clusters.columns} <= {*COLUMNS["clusters.tsv"]}
    assert {*v.items.columns} <= {*COLUMNS["items.tsv"]}
    assert {*v.KEYS} == {*COLUMNS["verdict.json"]}
    assert {*v.moves.columns} == {*COLUMNS["moves.tsv"]}
    assert {*v.table.columns} | {"k"} == {*COLUMNS["table.tsv"]}
    assert {*MARKER_COLUMNS} == {*COLUMNS["markers.tsv"]}
    assert {*ANNOTATION_COLUMNS} == {*COLUMNS["annotations.tsv"]}
    for measure in ("fc", "gap-pc", "kl", "fom", "clest", "me"):
        columns = stablek.choose_k(X, measure, ks=range(2, 4), jobs=1).columns
        plain = {name for name in columns if not name.startswith("bin_")}
        assert plain <= {*COLUMNS["curve.tsv"]}, measure


def test_the_glossary_says_what_the_code_asks_for():
    assert (
        f"at least {STABLE:.0%}".replace("%", " %") in COLUMNS["markers.tsv"]["stable"]
    )
    hint = stages()["gate"]["suggestive"]
    assert hint.startswith(f"p <= {SUGGESTIVE:g}, or p <= {FIRM:g} if ")


def test_words_and_columns_are_explained():
    for name in known_words():
        assert explain(name)["title"]
    assert "rare of items.tsv" in explain("rare_items")["title"]
    assert explain("rare_items")["kind"] == "entry of verdict.json"
    assert "small group" in explain("rare")["title"]
    assert explain("best guess")["title"] == explain("best-guess")["title"]
    assert "must be split" in explain("best guess")["entry of verdict.json"]
    assert explain("Null sets")["title"] == explain("null set")["title"]
    assert "Jaccard" in explain("jaccard")["column of clusters.tsv and classes.tsv"]
