"""What is no annotation: columns that were clustered, and the user's own labels."""

import numpy as np
import pandas as pd

import stablek
from stablek.data.annotations import as_annotations
from stablek.data.seeds import Streams
from stablek.io import read
from stablek.io.readers.annotations import with_annotations
from stablek.report.page.meaning import annotation_section
from stablek.results.annotations import explain


def test_columns_that_were_clustered_are_no_annotations(tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        9 * np.eye(3)[np.arange(60) % 3] + rng.normal(size=(60, 3)), columns=list("abc")
    )
    X["whole"] = rng.integers(0, 3, 60)  # read as classes
    known = X.assign(b=X["b"] + 1, kind=np.arange(60) % 3)
    v = stablek.verdict(
        X, range(2, 5), annotations=known, null_sets=19, level=0.05, jobs=1
    )
    assert {row.annotation for row in v.annotations.rows} == {"b", "kind"}
    assert [one.name for one in v.data.annotations] == ["b", "kind"]
    table = tmp_path / "x.csv"
    X.rename_axis("id").to_csv(table)
    data = with_annotations(read(table), table)
    assert data.annotations == ()
    assert data.notes[-1].startswith("4 annotations joined on the id from x.csv; 4 of")


def test_the_labels_of_a_user_are_spoken_of_elsewhere():
    labels = np.repeat(np.arange(3), 20)
    columns = as_annotations({"your labels": [f"c{c}" for c in labels]}, 60)
    alone = explain(columns, {3: labels}, Streams(0), shuffles=99)
    assert alone.rows[0].follows
    assert alone.lines == ()
    assert alone.sentence == "There are no annotations."
    both = as_annotations(
        {"your labels": [f"c{c}" for c in labels], "sex": ["f", "m"] * 30}, 60
    )
    seen = explain(both, {3: labels}, Streams(0), shuffles=99)
    assert seen.lines == ("No annotation is associated with the clusters.",)
    assert annotation_section(alone, 3).title == "Your labels by cluster"
    assert annotation_section(seen, 3).title == "What else explains them"
