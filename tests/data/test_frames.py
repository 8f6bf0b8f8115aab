"""A DataFrame brings numbers: what is not one is refused by its column's name."""

import numpy as np
import pandas as pd
import pytest

import stablek
from stablek.data import from_arrays
from stablek.errors import InputError
from stablek.integrations.sklearn import StableK

X = pd.DataFrame(np.random.default_rng(0).normal(size=(24, 2)), columns=["a", "b"])

NOT_NUMBERS = {
    "categories that look like numbers": pd.Categorical([1, 2, 3] * 8),
    "categories": pd.Categorical(["u", "v", "w"] * 8),
    "text": ["u", "v", "w"] * 8,
    "strings": pd.array(["u"] * 24, dtype="string"),
    "dates": pd.date_range("2020-01-01", periods=24),
    "times": pd.to_timedelta(range(24), unit="D"),
    "text after numbers": [1.0] * 23 + ["low"],
}


@pytest.mark.parametrize("column", NOT_NUMBERS.values(), ids=NOT_NUMBERS)
@pytest.mark.parametrize(
    "ask", [from_arrays, stablek.verdict, stablek.choose_k, StableK().fit]
)
def test_a_column_that_is_no_number_is_refused_by_name(ask, column):
    with pytest.raises(InputError, match=r"'stage' \(.*X\.drop\(columns=\['stage'\]\)"):
        ask(X.assign(stage=column))


def test_all_such_columns_are_named_with_their_type_or_the_first_value():
    made = X.assign(when=NOT_NUMBERS["dates"], grade=NOT_NUMBERS["text after numbers"])
    with pytest.raises(InputError) as refused:
        from_arrays(made)
    message = str(refused.value)
    assert "2 columns that are not numeric: 'when' (datetime64" in message
    assert "'grade' ('low' in row 23)" in message
    assert "X.drop(columns=['when', 'grade'])" in message
    many = pd.concat(
        [X] + [pd.Series(["x"] * 24, name=f"t{j}") for j in range(7)], axis=1
    )
    with pytest.raises(
        InputError, match=r"'t4' \('x' in row 0\) and 2 more.*'t4', \.\.\.\]"
    ):
        from_arrays(many)


def test_truth_values_are_taken_as_1_and_0_with_a_note():
    sick = np.arange(24) % 3 == 0
    made = from_arrays(X.assign(sick=sick))
    assert made.notes == ("column 'sick' holds True and False: taken as 1 and 0",)
    np.testing.assert_array_equal(made.values[:, 2], sick.astype(float))
    two = from_arrays(X.assign(sick=sick, old=pd.array(sick, dtype="boolean")))
    assert "2 columns ('sick', 'old') hold True" in two.notes[0]
    fitted = StableK("fc", ks=range(2, 4), settings={"repeats": 5})
    assert made.notes[0] in fitted.fit(X.assign(sick=sick)).result_.data.notes
    assert not from_arrays(X).notes


def test_numbers_kept_as_objects_are_numbers_and_gaps_are_named():
    kept = X.assign(c=np.arange(24).astype(object), d=pd.array(range(24), "Int64"))
    np.testing.assert_array_equal(from_arrays(kept).values[:, 2], np.arange(24))
    for gap in (None, pd.NA, np.nan):
        column = pd.Series([gap, *range(23)], dtype=object)
        with pytest.raises(InputError, match=r"1 value.* at row 0, column 'c'"):
            from_arrays(X.assign(c=column))


def test_two_columns_of_one_name_are_looked_at_each():
    with pytest.raises(InputError, match=r"a column that is .*'a' \('x' in row 0\)"):
        from_arrays(pd.concat([X, X.assign(a="x")], axis=1))


def test_categories_in_obsm_are_refused_too():
    anndata = pytest.importorskip("anndata")
    from stablek.integrations.anndata import tl

    made = anndata.AnnData(X.to_numpy())
    frame = X.assign(stage=NOT_NUMBERS["categories that look like numbers"])
    made.obsm["facts"] = frame.set_index(made.obs_names)
    with pytest.raises(InputError, match=r"'stage' \(category\)"):
        tl.values_of(made, "facts")
