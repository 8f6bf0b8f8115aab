"""A setting of the wrong kind is refused by name: each one of every measure."""

import inspect

import numpy as np
import pytest

from stablek.errors import InputError
from stablek.measures import MEASURES, measure

#: What a user may write after --set name=, as the command line reads it.
WRONG = {
    "int": ("banana", 1.5, float("nan"), float("inf"), True),
    "float": ("banana", float("nan"), float("inf"), True),
    "bool": ("banana", 1, 0.0),
    "str": (1, 1.5, True),
}


def kind_of(annotation):
    """Return the first kind of an annotation, which is text or the kind itself."""
    text = annotation
    if not isinstance(annotation, str):
        text = inspect.formatannotation(annotation)
    return text.partition(" |")[0]


SETTINGS = [
    (name, setting.name, kind)
    for name, make in MEASURES.items()
    for setting in inspect.signature(make).parameters.values()
    for kind in (kind_of(setting.annotation),)
]


@pytest.mark.parametrize(("name", "setting", "kind"), SETTINGS)
def test_a_setting_of_the_wrong_kind_is_refused_by_name(name, setting, kind):
    for value in WRONG[kind]:
        with pytest.raises(
            InputError, match=f"{setting} = .*must be a|{setting} = .*tru"
        ):
            measure(name, **{setting: value})


def test_a_whole_number_may_be_written_as_any_number():
    for value in (20.0, np.int64(20), np.float32(20)):
        assert measure("fc", repeats=value).stop == measure("fc", repeats=20).stop


def test_what_is_no_name_and_no_measure_is_unknown():
    with pytest.raises(InputError, match="unknown measure '5'"):
        measure(5)
