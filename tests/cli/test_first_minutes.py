"""What a new user meets first: a file alone, one k, the last line."""

from stablek.cli import with_command
from stablek.cli.options import KRange


def test_a_file_alone_means_a_verdict(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.tsv").write_text("id\ta\n")
    made = with_command(["data.tsv", "-o", "out"])
    assert made == ["verdict", "data.tsv", "-o", "out"]
    assert with_command(["--debug", "data.tsv"]) == ["--debug", "verdict", "data.tsv"]
    for same in (["run", "data.tsv"], ["nothing.tsv"], ["--help"], []):
        assert with_command(same) == same


def test_one_number_is_one_k():
    assert KRange().convert("5", None, None) == range(5, 6)
    assert KRange().convert(" 2 : 4 ", None, None) == range(2, 5)
