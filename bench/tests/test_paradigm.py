"""The paradigm page says what the registry says."""

from pathlib import Path

from stablek.measures import MEASURES
from stablek_bench.paradigm import STEPS, page

PAGE = Path(__file__).parent.parent.parent / "docs" / "paradigm.md"


def test_the_page_is_current():
    again = "python -m stablek_bench.paradigm > docs/paradigm.md"
    assert PAGE.read_text(encoding="utf-8") == page(), f"make it anew: {again}"


def test_every_measure_has_a_word_for_every_step():
    for name, factory in MEASURES.items():
        steps = factory().steps()
        assert set(STEPS) <= set(steps), name
        assert all(steps[step] for step in STEPS), name
