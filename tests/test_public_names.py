"""What the package offers."""

import stablek


def test_the_public_names_are_listed():
    assert {"choose_k", "verdict", "Result"} <= set(dir(stablek))
