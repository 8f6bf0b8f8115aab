"""What a notebook shows of an answer."""

from html import escape

import numpy as np

import stablek
from stablek.results.comparison import Comparison
from stablek.results.result import Failed

X = np.random.default_rng(0).normal(size=(30, 2)) + 9 * np.eye(3, 2)[np.arange(30) % 3]


def test_every_answer_shows_its_sentence_and_its_table():
    how = {"ks": range(2, 5), "jobs": 1}
    one = stablek.choose_k(X, "fc", repeats=9, **how)
    judged = stablek.verdict(X, null_sets=9, level=0.1, **how)
    both = stablek.compare(X, ["wcss", "fc"], **how)
    for found, column in ((one, "area"), (judged, "jaccard"), (both, "hier-a")):
        shown = found._repr_html_()
        head = getattr(found, "headline", found.sentence)
        assert f"<strong>{escape(head)}</strong>" in shown
        assert f"<th>{column}</th>" in shown
    assert escape(judged.strength) in judged._repr_html_()
    assert judged.sentence == " ".join([judged.headline, *judged.details])
    assert all(f"<p>{escape(line)}</p>" in judged._repr_html_()
               for line in judged.details)  # fmt: skip
    assert judged.headline == (
        "3 clusters. Data without clusters sometimes look like this (p ≤ 0.1)."
    )


def test_what_failed_is_told_and_nothing_runs():
    found = Comparison((Failed("<script>", "a", "no <b>luck</b>"),))
    shown = found._repr_html_()
    assert "<script" not in shown
    assert "&lt;script&gt; failed: no &lt;b&gt;luck&lt;/b&gt;" in shown


def test_every_answer_is_its_sentence_and_no_array():
    judged = stablek.verdict(X, range(2, 5), null_sets=9, level=0.1, jobs=1)
    answers = [
        stablek.assess(X, 3, repeats=5),
        stablek.significance(X, 3, "hier-a", null_sets=9),
        stablek.compare(X, ["wcss", "kl"], ks=range(2, 5), jobs=1),
        stablek.validate(judged, X),
        judged.predict(X[:4]),
        judged.annotations,
    ]
    for found in answers:
        assert repr(found) == f"<{type(found).__name__}: {found.sentence}>"
        assert "array(" not in repr(found)
        assert escape(found.sentence) in found._repr_html_()


def test_the_clusters_come_before_the_advice():
    judged = stablek.verdict(X, range(2, 5), null_sets=9, level=0.1, jobs=1)
    shown = judged._repr_html_()
    assert shown.index("<table") < shown.index(escape(judged.next_steps[0]))
