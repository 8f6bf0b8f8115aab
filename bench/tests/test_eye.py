"""The seven classic algorithms, read by eye in the thesis."""

from stablek_bench.eye import cells


def test_cells_of_sets_that_are_absent_are_passed_over(monkeypatch):
    monkeypatch.delenv("STABLEK_DATA", raising=False)
    monkeypatch.setattr("stablek_bench.eye.load_source", lambda *_: None)
    assert list(cells(None, ("hier-a",))) == []
