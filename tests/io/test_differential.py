"""The readers agree with what was written, and with pandas, or say why not."""

import pytest
from differential import EXPLAINED, compare


@pytest.mark.parametrize("start", range(0, 400, 100))
def test_a_made_table_is_read_as_it_was_written_or_refused(start, tmp_path, tally):
    outcomes = {}
    for seed in range(start, start + 100):
        outcome, words = compare(seed, tmp_path)
        if outcome not in EXPLAINED | {"read", "asked"}:
            outcomes[seed] = outcome, words
    assert not outcomes
    tally("tables compared", 100)
