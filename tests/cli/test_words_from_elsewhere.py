"""Names that people bring from other packages lead somewhere."""

import pytest

from stablek.cli import guarded
from stablek.errors import ELSEWHERE, INSTEAD
from stablek.measures import MEASURES
from stablek.paradigm.cluster import ALGORITHMS


def test_every_word_leads_to_a_name_of_ours():
    known = {*MEASURES, *ALGORITHMS}
    assert set(ELSEWHERE.values()) <= known
    assert not known & (set(ELSEWHERE) | set(INSTEAD))


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("upgma", "did you mean 'hier-a'"),
        ("minj", "did you mean 'min'? stablek measures, "),
        ("Ward", "did you mean 'hier-w'"),
        ("k-means", "did you mean 'kmeans-w'"),
        ("leiden", "no k: see stablek.integrations.anndata"),
    ],
)
def test_explain_tells_what_it_is_called_here(word, told, capsys):
    assert guarded(["explain", word]) == 2
    assert told in capsys.readouterr().err
