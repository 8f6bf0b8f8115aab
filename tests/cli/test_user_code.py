"""Modules of the user's own."""

import sys

from stablek.cli.user_code import load_named


def test_a_module_beside_the_data_is_found(tmp_path, monkeypatch):
    (tmp_path / "just_here_one.py").write_text("value = 3\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert load_named("just_here_one:value") == 3
    assert load_named("just_here_one:value") == 3
    assert sys.path.count(str(tmp_path)) == 1
