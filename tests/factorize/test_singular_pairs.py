"""Starts made of singular vectors."""

import numpy as np
import pytest

from stablek.errors import InputError
from stablek.factorize.init import _larger_part


def test_a_singular_pair_that_is_nan_is_refused():
    with pytest.raises(InputError, match="a singular pair is NaN"):
        _larger_part(np.full(4, np.nan), np.ones(3))
